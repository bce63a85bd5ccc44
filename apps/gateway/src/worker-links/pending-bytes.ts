/** The end of each line and each payload. */
export const CRLF = Buffer.from('\r\n');

/** Bytes that have arrived and were not taken yet. Appending is cheap however small the chunks are. */
export class PendingBytes {
  /** The bytes from `start` to `end` are pending. Taken ones are never overwritten, because their user may still hold them. */
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  /** Whether the buffer was made here, so that the rest of it is free. */
  private isOwn = false;

  get length(): number {
    return this.end - this.start;
  }

  append(chunk: Buffer): void {
    if (this.length === 0) {
      [this.buffer, this.start, this.end, this.isOwn] = [chunk, 0, chunk.length, false];
      return;
    }
    if (!this.isOwn || this.buffer.length - this.end < chunk.length) this.grow(chunk.length);
    this.end += chunk.copy(this.buffer, this.end);
  }

  /** @returns the position of the first CR LF; null if there is none within `max` bytes */
  findLineEnd(max: number): number | null {
    const position = this.read(Math.min(this.length, max + CRLF.length)).indexOf(CRLF);
    return position < 0 ? null : position;
  }

  /** @returns the first bytes, which stay pending */
  read(length: number): Buffer {
    return this.buffer.subarray(this.start, this.start + length);
  }

  take(length: number): Buffer {
    const bytes = this.read(length);
    this.start += length;
    return bytes;
  }

  /** At least doubles the space, so that each byte is copied a few times at most. */
  private grow(more: number): void {
    const grown = Buffer.allocUnsafe(2 * (this.length + more));
    this.buffer.copy(grown, 0, this.start, this.end);
    [this.buffer, this.start, this.end, this.isOwn] = [grown, 0, this.length, true];
  }
}
