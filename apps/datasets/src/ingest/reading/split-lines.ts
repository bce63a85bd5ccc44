import { decodeBeginning, decodeText } from './decode-text.js';
import { KEPT_TEXT, MAX_ROW, reject, type Rejected } from './raw-row.js';

export interface Line {
  line: number;
  text: string;
  /** The file ends in it. */
  open?: true;
}

const NEWLINE = 0x0a;
/** Bytes that `KEPT_TEXT` characters take at most. */
const KEPT_BYTES = KEPT_TEXT * 4;

/** The lines of a file, those of some bytes at a time, without their endings. A line without end takes no memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<(Line | Rejected)[]> {
  let line = 1;
  let rest: Buffer[] = [];
  let length = 0;
  let skipped: Rejected | null = null;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE);
    const found: (Line | Rejected)[] = [];
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
    if (length > MAX_ROW) {
      skipped = tooLong(line, decodeBeginning(Buffer.concat(rest).subarray(0, KEPT_BYTES)));
      [rest, length] = [[], 0];
    }
    if (found.length > 0) yield found;
  }
  if (skipped) yield [{ ...skipped, broken: true }];
  else if (length > 0) yield [{ ...toLine(line, decodeText(Buffer.concat(rest))), open: true }];
}

function toLine(line: number, text: string): Line | Rejected {
  if (text.length > MAX_ROW) return tooLong(line, text);
  return { line, text: text.endsWith('\r') ? text.slice(0, -1) : text };
}

export const tooLong = (line: number, text: string): Rejected => reject(line, 'is longer than 1 MiB', text);
