import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MaskedTail, type Cursor } from './masked-tail.js';
import { type Masker } from './masker.js';

/** Reads up to about 100 KiB of a growing log from an offset; empty if there is no more yet. */
export type ReadRaw = (offset: number) => Buffer;

/** Maximum number of readers whose positions are cached. A further reader starts again at the beginning of the log. */
const MAX_CACHED_READERS = 4;

/**
 * A growing log, masked for users. Offsets count masked bytes, and are the same when the log is stored. A reader that continues
 * costs only the new part. Between two chunks of 256 KiB, a few milliseconds each, the process does other work, because a log
 * can have the maximum size of a file.
 */
export class MaskedLog {
  private readonly cursors = new Map<number, Cursor>();
  private readonly tail: MaskedTail;

  constructor(
    private readonly masker: Masker,
    private readonly readRaw: ReadRaw,
  ) {
    this.tail = new MaskedTail(() => this.begin());
  }

  /** The next part from `offset`, at most `maxBytes` bytes. */
  async read(offset: number, maxBytes: number): Promise<Buffer> {
    const recent = await this.tail.read(offset, maxBytes, (cursor) => this.advance(cursor));
    if (recent) return recent;
    const cursor = this.cursors.get(offset) ?? (await this.seek(offset));
    this.cursors.delete(offset);
    if (cursor === null) return Buffer.alloc(0);
    while (cursor.ahead.length === 0 && this.advance(cursor)) await yieldToEventLoop();
    const part = cursor.ahead.subarray(0, maxBytes);
    cursor.ahead = cursor.ahead.subarray(part.length);
    this.cache(offset + part.length, cursor);
    return part;
  }

  /** Offset of the last lines so far. The first call masks the whole log, later ones the new part. */
  findLastLines(lines: number): Promise<number> {
    return this.tail.findLastLines(lines, (cursor) => this.advance(cursor));
  }

  private begin(): Cursor {
    return { read: 0, stream: this.masker.stream(), ahead: Buffer.alloc(0) };
  }

  /** Null if the log is shorter. */
  private async seek(offset: number): Promise<Cursor | null> {
    const cursor = this.begin();
    for (let at = 0; at < offset;) {
      if (cursor.ahead.length === 0 && !this.advance(cursor)) return null;
      const passed = Math.min(cursor.ahead.length, offset - at);
      cursor.ahead = cursor.ahead.subarray(passed);
      at += passed;
      await yieldToEventLoop();
    }
    return cursor;
  }

  /** @returns whether the log had more */
  private advance(cursor: Cursor): boolean {
    const chunk = this.readRaw(cursor.read);
    cursor.read += chunk.length;
    if (chunk.length > 0) cursor.ahead = Buffer.concat([cursor.ahead, cursor.stream.push(chunk)]);
    return chunk.length > 0;
  }

  private cache(offset: number, cursor: Cursor): void {
    this.cursors.set(offset, cursor);
    const [oldest] = this.cursors.keys();
    if (this.cursors.size > MAX_CACHED_READERS && oldest !== undefined) this.cursors.delete(oldest);
  }
}
