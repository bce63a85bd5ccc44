import { MAX_REJECTED_CHARACTERS, MAX_ROW_BYTES, reject, type Rejection } from './raw-row.js';
import { decodePrefix, decodeText, rejectTooLong, type Line } from './split-lines.js';

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];
const MAX_REJECTED_BYTES = MAX_REJECTED_CHARACTERS * 4;

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Finds where the elements of a JSON array, or consecutive values, begin and end. It looks only at brackets and strings and
 * leaves the contents to `JSON.parse`, so that an invalid element does not affect the next one.
 */
class ValueSplitter {
  private found: (Line | Rejection)[] = [];
  private count = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private inValue = false;
  private hasStarted = false;
  private inArray = false;
  private hasEnded = false;
  private pieces: Buffer[] = [];
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
        if (this.consumeArrayBracket(byte)) continue;
        this.inValue = true;
        start = at;
      }
      if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // A closing bracket without an opening one ends a value without brackets, as in `[1, 2]`.
        if (this.depth === 0) {
          this.finish(chunk.subarray(start, at));
          this.consumeArrayBracket(byte);
        } else if (--this.depth === 0) this.finish(chunk.subarray(start, at + 1));
      } else if (this.depth === 0 && (byte === COMMA || isSpace(byte))) this.finish(chunk.subarray(start, at));
    }
    if (this.inValue) this.append(chunk.subarray(start));
    return this.takeFound();
  }

  end(): (Line | Rejection)[] {
    if (this.inValue && this.depth === 0 && !this.inString && !this.inArray) this.finish(Buffer.alloc(0));
    if (this.inValue || (this.inArray && !this.hasEnded)) {
      const text = decodePrefix(Buffer.concat(this.pieces).subarray(0, MAX_REJECTED_BYTES));
      this.found.push({ ...reject(this.count + 1, 'is incomplete: the file ends before it does', text), broken: true });
    }
    return this.takeFound();
  }

  private takeFound(): (Line | Rejection)[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private consumeArrayBracket(byte: number): boolean {
    if (byte === OPEN_ARRAY && !this.hasStarted) {
      this.hasStarted = true;
      this.inArray = true;
      return true;
    }
    this.hasStarted = true;
    if (byte !== CLOSE_ARRAY || !this.inArray) return false;
    this.hasEnded = true;
    return true;
  }

  private append(bytes: Buffer): void {
    if (this.skipping) return;
    this.pieces.push(bytes);
    this.length += bytes.length;
    if (this.length <= MAX_ROW_BYTES) return;
    this.pieces = [Buffer.from(Buffer.concat(this.pieces).subarray(0, MAX_REJECTED_BYTES))];
    this.skipping = true;
  }

  private finish(bytes: Buffer): void {
    this.append(bytes);
    const line = ++this.count;
    const whole = this.pieces.length === 1 ? (this.pieces[0] ?? bytes) : Buffer.concat(this.pieces);
    if (this.skipping) this.found.push(rejectTooLong(line, decodePrefix(whole)));
    else if (this.hasEnded) this.found.push(reject(line, 'is behind the end of the array', decodeText(whole)));
    else this.found.push({ line, text: decodeText(whole) });
    [this.pieces, this.length, this.skipping, this.inValue] = [[], 0, false, false];
  }
}

/** Splits a file of one JSON array or of consecutive JSON values; `line` is the number of the value. */
export async function* splitValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<(Line | Rejection)[]> {
  const splitter = new ValueSplitter();
  for await (const chunk of chunks) yield splitter.push(chunk);
  yield splitter.end();
}
