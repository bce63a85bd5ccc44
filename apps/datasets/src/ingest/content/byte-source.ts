/** Bytes that come piece by piece, of which some may be given back. */
export class ByteSource {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly unreadChunks: Buffer[] = [];

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** @returns null at the end */
  async next(): Promise<Buffer | null> {
    const held = this.unreadChunks.pop();
    if (held) return held;
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await this.chunks.next();
      if (next.done === true) return null;
      if (next.value.length > 0) return next.value;
    }
  }

  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.unreadChunks.push(bytes);
  }

  /** So many bytes, or all there are. */
  async read(count: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let left = count; left > 0;) {
      const chunk = await this.next();
      if (!chunk) break;
      taken.push(chunk.subarray(0, left));
      this.unread(chunk.subarray(left));
      left -= Math.min(left, chunk.length);
    }
    return Buffer.concat(taken);
  }

  async isAtEnd(): Promise<boolean> {
    const chunk = await this.next();
    if (chunk) this.unread(chunk);
    return chunk === null;
  }
}
