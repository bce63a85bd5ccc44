/** A stream of bytes from which a reader can take any number of bytes and return those that it does not need. */
export class ByteSource {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly unreadChunks: Buffer[] = [];

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** @returns the next chunk, never empty; null at the end */
  async next(): Promise<Buffer | null> {
    const unread = this.unreadChunks.pop();
    if (unread) return unread;
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await this.chunks.next();
      if (next.done === true) return null;
      if (next.value.length > 0) return next.value;
    }
  }

  /** Returns bytes to the source, which the next read gets first. */
  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.unreadChunks.push(bytes);
  }

  /** @returns `count` bytes, or fewer if the source ends */
  async read(count: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let left = count; left > 0;) {
      const chunk = await this.next();
      if (!chunk) break;
      chunks.push(chunk.subarray(0, left));
      this.unread(chunk.subarray(left));
      left -= Math.min(left, chunk.length);
    }
    return Buffer.concat(chunks);
  }

  async isAtEnd(): Promise<boolean> {
    const chunk = await this.next();
    if (chunk) this.unread(chunk);
    return chunk === null;
  }
}
