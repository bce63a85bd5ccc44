import { isUtf8 } from 'node:buffer';

/** Half of a surrogate pair, which no row may hold: what is no UTF-8 is found where all text is looked at. */
const INVALID_TEXT = '\udcff';

/** Text of some bytes. What is no UTF-8 becomes half of a surrogate pair (and so does U+FFFD beside it). */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('utf8').replaceAll('\ufffd', INVALID_TEXT);
}

/** Beginning of a text that was cut anywhere, also between the bytes of a character. */
export const decodePrefix = (bytes: Buffer): string => bytes.toString('utf8');
