import { RangeList } from './range-list.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Finds the lines of a byte stream that comes in chunks, and keeps nothing of it but their ranges.
 * - `line`: lines that are not empty, without their `\n` or `\r\n`: what mode "line" and a splitter hand out.
 * - `batch`: all lines with their endings; strung together they are the stream, to the byte (see `batchRanges`).
 */
export class LineIndexer {
  private readonly ranges = new RangeList();
  private position = 0;
  private lineStart = 0;
  private lastByte = LINE_FEED;

  constructor(private readonly mode: 'line' | 'batch' = 'line') {}

  /** Bytes seen so far. */
  get size(): number {
    return this.position;
  }

  /** Whether the last line has no end yet: where sources are strung together, a `\n` belongs between them then. */
  get open(): boolean {
    return this.lineStart < this.position;
  }

  push(chunk: Uint8Array): void {
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      const before = end === 0 ? this.lastByte : chunk[end - 1];
      const feed = this.position + end;
      const returned = before === CARRIAGE_RETURN && feed > this.lineStart;
      this.close(feed - (returned ? 1 : 0), feed + 1);
    }
    this.position += chunk.length;
    this.lastByte = chunk.at(-1) ?? this.lastByte;
  }

  /** Ends the last line if nothing else did, and gives the ranges found. */
  end(): RangeList {
    if (this.open) this.close(this.position, this.position);
    return this.ranges;
  }

  private close(textEnd: number, lineEnd: number): void {
    const end = this.mode === 'line' ? textEnd : lineEnd;
    if (end > this.lineStart) this.ranges.push(this.lineStart, end - this.lineStart);
    this.lineStart = lineEnd;
  }
}
