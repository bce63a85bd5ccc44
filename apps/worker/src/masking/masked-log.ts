import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MaskedTail, type Cursor } from './masked-tail.js';
import { type Masker } from './masker.js';

/** Gives up to some 100 KiB of a log that grows, from an offset on; empty where there is no more for now. */
export type ReadRaw = (offset: number) => Buffer;

/** Maximum number of readers whose positions are cached. A further reader starts again at the beginning of the log. */
const READERS = 4;

/**
 * A growing log as people may see it. Offsets count masked bytes, and stay what they are when the log is stored. Who reads
 * on from where they were costs what is new. Between two chunks of 256 KiB, some milliseconds each, the process does other
 * work: a log may be as large as a file may be.
 */
export class MaskedLog {
  private readonly cursors = new Map<number, Cursor>();
  private readonly end: MaskedTail;

  constructor(
    private readonly masker: Masker,
    private readonly readRaw: ReadRaw,
  ) {
    this.end = new MaskedTail(() => this.begin());
  }

  /** The next part from `offset`, at most `maxBytes` bytes. */
  async read(offset: number, maxBytes: number): Promise<Buffer> {
    const recent = await this.end.read(offset, maxBytes, (cursor) => this.advance(cursor));
    if (recent) return recent;
    const cursor = this.cursors.get(offset) ?? (await this.seek(offset));
    this.cursors.delete(offset);
    if (cursor === null) return Buffer.alloc(0);
    while (cursor.ahead.length === 0 && this.advance(cursor)) await yieldToEventLoop();
    const part = cursor.ahead.subarray(0, maxBytes);
    cursor.ahead = cursor.ahead.subarray(part.length);
    this.keep(offset + part.length, cursor);
    return part;
  }

  /** Where the last lines begin of what there is now. The first call masks the log up to here, later ones what is new. */
  findLastLines(lines: number): Promise<number> {
    return this.end.findLastLines(lines, (cursor) => this.advance(cursor));
  }

  private begin(): Cursor {
    return { read: 0, stream: this.masker.stream(), ahead: Buffer.alloc(0) };
  }

  /** Null where the log does not reach that far. */
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
