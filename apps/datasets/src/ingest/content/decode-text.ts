import { isUtf8 } from 'node:buffer';

/** Half of a surrogate pair. Rows with it are rejected, so invalid UTF-8 needs no check of its own. */
const INVALID_TEXT = '\udcff';

/** Decodes UTF-8. Invalid bytes become half of a surrogate pair, and so does U+FFFD in the same bytes. */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('utf8').replaceAll('\ufffd', INVALID_TEXT);
}

/** Decodes the beginning of a text, which may end within a character. */
export const decodePrefix = (bytes: Buffer): string => bytes.toString('utf8');
