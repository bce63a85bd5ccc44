import { type MaskStream } from './mask-stream.js';
import { type Masker } from './masker.js';

/** Gives up to some 100 KiB of a log that grows, from an offset on; empty where there is no more for now. */
export type ReadRaw = (offset: number) => Buffer;

/** Where a reader is: how far the log was read, and what came out of it beyond the reader's offset. */
interface Cursor {
  read: number;
  stream: MaskStream;
  ahead: Buffer;
}

/** Readers at different places whose places are remembered; one more begins anew from the log's beginning. */
const READERS = 4;

/**
 * A growing log as people may see it. Offsets count masked bytes, and stay what they are when the log is stored. Who reads
 * on from where they were costs what is new; nothing of the log is kept in memory.
 */
export class MaskedLog {
  private readonly cursors = new Map<number, Cursor>();

  constructor(
    private readonly masker: Masker,
    private readonly readRaw: ReadRaw,
  ) {}

  /** The next part from `offset`, at most `most` bytes. */
  read(offset: number, most: number): Buffer {
    const cursor = this.cursors.get(offset) ?? this.begin(offset);
    this.cursors.delete(offset);
    if (cursor === null) return Buffer.alloc(0);
    while (cursor.ahead.length === 0 && this.advance(cursor));
    const part = cursor.ahead.subarray(0, most);
    cursor.ahead = cursor.ahead.subarray(part.length);
    this.keep(offset + part.length, cursor);
    return part;
  }

  /** Null where the log does not reach that far. */
  private begin(offset: number): Cursor | null {
    const cursor: Cursor = { read: 0, stream: this.masker.stream(), ahead: Buffer.alloc(0) };
    for (let at = 0; at < offset;) {
      if (cursor.ahead.length === 0 && !this.advance(cursor)) return null;
      const passed = Math.min(cursor.ahead.length, offset - at);
      cursor.ahead = cursor.ahead.subarray(passed);
      at += passed;
    }
    return cursor;
  }

  /** Whether there was more in the log. */
  private advance(cursor: Cursor): boolean {
    const chunk = this.readRaw(cursor.read);
    cursor.read += chunk.length;
    if (chunk.length > 0) cursor.ahead = Buffer.concat([cursor.ahead, cursor.stream.push(chunk)]);
    return chunk.length > 0;
  }

  private keep(offset: number, cursor: Cursor): void {
    this.cursors.set(offset, cursor);
    const [oldest] = this.cursors.keys();
    if (this.cursors.size > READERS && oldest !== undefined) this.cursors.delete(oldest);
  }
}
