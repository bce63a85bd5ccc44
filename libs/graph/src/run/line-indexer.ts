import { RangeList } from './range-list.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Indexes the lines of a byte stream that arrives in chunks. Stores only the ranges of the lines.
 * - `line`: lines that are not empty, without their `\n` or `\r\n`. Mode "line" and splitters use these as items.
 * - `batch`: all lines with their endings. Concatenated, they equal the stream (see `splitIntoBatches`).
 */
export class LineIndexer {
  private readonly ranges = new RangeList();
  private position = 0;
  private lineStart = 0;
  private lastByte = LINE_FEED;

  constructor(private readonly mode: 'line' | 'batch' = 'line') {}

  /** Number of bytes read so far. */
  get size(): number {
    return this.position;
  }

  /** Whether the last line has no line ending yet. A source after such a line needs a `\n` in front of it. */
  get hasOpenLine(): boolean {
    return this.lineStart < this.position;
  }

  push(chunk: Uint8Array): void {
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      const before = end === 0 ? this.lastByte : chunk[end - 1];
      const feed = this.position + end;
      const hasCarriageReturn = before === CARRIAGE_RETURN && feed > this.lineStart;
      this.close(feed - (hasCarriageReturn ? 1 : 0), feed + 1);
    }
    this.position += chunk.length;
    this.lastByte = chunk.at(-1) ?? this.lastByte;
  }

  /** Closes an unfinished last line and returns the ranges of all lines. */
  end(): RangeList {
    if (this.hasOpenLine) this.close(this.position, this.position);
    return this.ranges;
  }

  private close(textEnd: number, lineEnd: number): void {
    const end = this.mode === 'line' ? textEnd : lineEnd;
    if (end > this.lineStart) this.ranges.push(this.lineStart, end - this.lineStart);
    this.lineStart = lineEnd;
  }
}
