import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findLastLines } from '@millrace/contracts/runs/find-last-lines';
import { type MaskStream } from './mask-stream.js';

/** How far back the last lines are looked for. */
export const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** Where a reader is: how far the log was read, and what came out of it beyond the reader's offset. */
export interface Cursor {
  read: number;
  stream: MaskStream;
  ahead: Buffer;
}

type Advance = (cursor: Cursor) => boolean;

/** The last 4 MiB of a growing log, for those who read its end; nothing is kept before somebody does. */
export class MaskedTail {
  private cursor: Cursor | null = null;
  private chunks: Buffer[] = [];
  /** Bytes in `chunks`, and of the log up to their end. */
  private held = 0;
  private length = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly begin: () => Cursor) {}

  /** Null if the offset is not within the end. */
  async read(offset: number, maxBytes: number, advance: Advance): Promise<Buffer | null> {
    if (!this.cursor || offset < this.length - this.held) return null;
    await this.inTurn(() => this.advanceBeyond(offset, advance));
    const start = this.length - this.held;
    // Others may have read on by far in the meantime.
    if (offset < start) return null;
    return Buffer.concat(this.chunks).subarray(offset - start, offset - start + maxBytes);
  }

  async findLastLines(lines: number, advance: Advance): Promise<number> {
    this.cursor ??= this.begin();
    return this.inTurn(async () => {
      await this.advanceBeyond(Infinity, advance);
      return this.length - this.held + findLastLines(Buffer.concat(this.chunks), lines);
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
    this.held += chunk.length;
    this.length += chunk.length;
    while (this.held - (this.chunks[0]?.length ?? Infinity) >= MAX_TAIL_BYTES) {
      this.held -= this.chunks.shift()?.length ?? 0;
    }
  }

  /** One at a time: they share the cursor. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
