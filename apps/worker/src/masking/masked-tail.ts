import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findLastLines } from '@millrace/contracts/runs/find-last-lines';
import { type MaskStream } from './mask-stream.js';

/** Size of the end of a log in which the last lines are searched. */
export const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** Position of a reader: how much of the log was read, and the masked bytes after the reader's offset. */
export interface Cursor {
  read: number;
  stream: MaskStream;
  ahead: Buffer;
}

type Advance = (cursor: Cursor) => boolean;

/** The last 4 MiB of a growing log, masked. Nothing is stored until a client reads the end. */
export class MaskedTail {
  private cursor: Cursor | null = null;
  private chunks: Buffer[] = [];
  /** Bytes in `chunks`, and masked bytes of the log up to their end. */
  private tailBytes = 0;
  private length = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly begin: () => Cursor) {}

  /** Null if the offset is not within the end. */
  async read(offset: number, maxBytes: number, advance: Advance): Promise<Buffer | null> {
    if (!this.cursor || offset < this.length - this.tailBytes) return null;
    await this.runExclusively(() => this.advanceBeyond(offset, advance));
    const start = this.length - this.tailBytes;
    // Other readers may have advanced far in the meantime.
    if (offset < start) return null;
    return Buffer.concat(this.chunks).subarray(offset - start, offset - start + maxBytes);
  }

  async findLastLines(lines: number, advance: Advance): Promise<number> {
    this.cursor ??= this.begin();
    return this.runExclusively(async () => {
      await this.advanceBeyond(Infinity, advance);
      return this.length - this.tailBytes + findLastLines(Buffer.concat(this.chunks), lines);
    });
  }

  private async advanceBeyond(offset: number, advance: Advance): Promise<void> {
    const { cursor } = this;
    while (cursor && this.length <= offset && advance(cursor)) {
      this.add(cursor.ahead);
      cursor.ahead = Buffer.alloc(0);
      await yieldToEventLoop();
    }
  }

  private add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.tailBytes += chunk.length;
    this.length += chunk.length;
    while (this.tailBytes - (this.chunks[0]?.length ?? Infinity) >= MAX_TAIL_BYTES) {
      this.tailBytes -= this.chunks.shift()?.length ?? 0;
    }
  }

  /** Runs one at a time, because all share the cursor. */
  private runExclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
