import { isUtf8 } from 'node:buffer';
import { MAX_REJECTED_CHARACTERS, MAX_ROW_BYTES, reject, type Rejection } from './raw-row.js';

export interface Line {
  line: number;
  text: string;
  /** The file ends without a line end behind it. */
  unterminated?: true;
}

const NEWLINE = 0x0a;
/** Bytes that `MAX_REJECTED_CHARACTERS` characters need at most. */
const MAX_REJECTED_BYTES = MAX_REJECTED_CHARACTERS * 4;

/** Splits a file into lines without their ends, chunk by chunk. A line that is too long is not kept in memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<(Line | Rejection)[]> {
  let line = 1;
  let rest: Buffer[] = [];
  let length = 0;
  let skipped: Rejection | null = null;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    const found: (Line | Rejection)[] = [];
    let start = 0;
    if (skipped && end !== -1) {
      found.push(skipped);
      skipped = null;
      line++;
      start = chunk.indexOf(NEWLINE) + 1;
    }
    if (end >= start) {
      const block = Buffer.concat([...rest, chunk.subarray(start, end)]);
      for (const text of decodeText(block).split('\n')) found.push(toLine(line++, text));
    }
    if (skipped) continue;
    if (end !== -1) [rest, length] = [[], 0];
    const left = chunk.subarray(end === -1 ? start : end + 1);
    rest.push(left);
    length += left.length;
    if (length > MAX_ROW_BYTES) {
      skipped = rejectTooLong(line, decodePrefix(Buffer.concat(rest).subarray(0, MAX_REJECTED_BYTES)));
      [rest, length] = [[], 0];
    }
    if (found.length > 0) yield found;
  }
  if (skipped) yield [{ ...skipped, broken: true }];
  else if (length > 0) yield [{ ...toLine(line, decodeText(Buffer.concat(rest))), unterminated: true }];
}

function toLine(line: number, text: string): Line | Rejection {
  if (text.length > MAX_ROW_BYTES) return rejectTooLong(line, text);
  return { line, text: text.endsWith('\r') ? text.slice(0, -1) : text };
}

export const rejectTooLong = (line: number, text: string): Rejection => reject(line, 'is longer than 1 MiB', text);

/** Half of a surrogate pair. Rows with it are rejected, so invalid UTF-8 needs no check of its own. */
const INVALID_TEXT = '\udcff';

/** Decodes UTF-8. Invalid bytes become half of a surrogate pair, and so does U+FFFD in the same bytes. */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('utf8').replaceAll('\ufffd', INVALID_TEXT);
}

/** Decodes the beginning of a text, which may end within a character. */
export const decodePrefix = (bytes: Buffer): string => bytes.toString('utf8');
