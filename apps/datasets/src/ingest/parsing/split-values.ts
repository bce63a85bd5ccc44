import { decodePrefix, decodeText } from '../content/decode-text.js';
import { MAX_REJECTED_CHARACTERS, MAX_ROW_BYTES, reject, type Rejection } from './raw-row.js';
import { rejectTooLong, type Line } from './split-lines.js';

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];
const MAX_REJECTED_BYTES = MAX_REJECTED_CHARACTERS * 4;

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Finds where the elements of a JSON array, or values that stand one after another, begin and end, by brackets and
 * strings alone: what is inside is for `JSON.parse`. So an element that is not JSON does not harm the next.
 */
class ValueSplitter {
  private found: (Line | Rejection)[] = [];
  private count = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private inValue = false;
  private begun = false;
  private inArray = false;
  private ended = false;
  private held: Buffer[] = [];
  private length = 0;
  private skipping = false;

  push(chunk: Buffer): (Line | Rejection)[] {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) this.inString = false;
        continue;
      }
      if (!this.inValue) {
        if (isSpace(byte) || byte === COMMA) continue;
        if (this.isOuter(byte)) continue;
        this.inValue = true;
        start = at;
      }
      if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // A bracket too many ends a value without brackets, as in `[1, 2]`.
        if (this.depth === 0) {
          this.finish(chunk.subarray(start, at));
          this.isOuter(byte);
        } else if (--this.depth === 0) this.finish(chunk.subarray(start, at + 1));
      } else if (this.depth === 0 && (byte === COMMA || isSpace(byte))) this.finish(chunk.subarray(start, at));
    }
    if (this.inValue) this.hold(chunk.subarray(start));
    return this.take();
  }

  end(): (Line | Rejection)[] {
    if (this.inValue && this.depth === 0 && !this.inString && !this.inArray) this.finish(Buffer.alloc(0));
    if (this.inValue || (this.inArray && !this.ended)) {
      const text = decodePrefix(Buffer.concat(this.held).subarray(0, MAX_REJECTED_BYTES));
      this.found.push({ ...reject(this.count + 1, 'the file ends in the middle', text), broken: true });
    }
    return this.take();
  }

  private take(): (Line | Rejection)[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private isOuter(byte: number): boolean {
    if (byte === OPEN_ARRAY && !this.begun) {
      this.begun = true;
      this.inArray = true;
      return true;
    }
    this.begun = true;
    if (byte !== CLOSE_ARRAY || !this.inArray) return false;
    this.ended = true;
    return true;
  }

  private hold(bytes: Buffer): void {
    if (this.skipping) return;
    this.held.push(bytes);
    this.length += bytes.length;
    if (this.length <= MAX_ROW_BYTES) return;
    this.held = [Buffer.from(Buffer.concat(this.held).subarray(0, MAX_REJECTED_BYTES))];
    this.skipping = true;
  }

  private finish(bytes: Buffer): void {
    this.hold(bytes);
    const line = ++this.count;
    const whole = this.held.length === 1 ? (this.held[0] ?? bytes) : Buffer.concat(this.held);
    if (this.skipping) this.found.push(rejectTooLong(line, decodePrefix(whole)));
    else if (this.ended) this.found.push(reject(line, 'stands after the end of the array', decodeText(whole)));
    else this.found.push({ line, text: decodeText(whole) });
    [this.held, this.length, this.skipping, this.inValue] = [[], 0, false, false];
  }
}

/** The values of a file that holds one JSON array, or JSON values one after another; `line` is their number. */
export async function* splitValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<(Line | Rejection)[]> {
  const splitter = new ValueSplitter();
  for await (const chunk of chunks) yield splitter.push(chunk);
  yield splitter.end();
}
