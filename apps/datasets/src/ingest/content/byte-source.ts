import { once } from 'node:events';
import type { ZstdDecompress, InflateRaw } from 'node:zlib';

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

/**
 * Decodes one frame from the start of a source. Bytes behind the frame stay in the source: the decoders of Node stop at the
 * end of a frame and do not report what follows.
 * @throws the error of the source or the decoder
 */
export async function* decodeFrame(source: ByteSource, decoder: ZstdDecompress | InflateRaw): AsyncGenerator<Buffer> {
  const closed = once(decoder, 'close').catch(() => undefined);
  // Runs beside the output, because the decoder accepts more input only while its output is read.
  const feeding = feed(source, decoder, closed).catch((error: unknown) => void decoder.destroy(error as Error));
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    decoder.destroy();
  }
  await feeding;
}

async function feed(source: ByteSource, decoder: ZstdDecompress | InflateRaw, closed: Promise<unknown>): Promise<void> {
  for (let fed = 0; !decoder.destroyed;) {
    const chunk = await source.next();
    if (!chunk) return void decoder.end();
    await Promise.race([new Promise((resolve) => decoder.write(chunk, resolve)), closed]);
    fed += chunk.length;
    const behind = fed - decoder.bytesWritten;
    if (behind > 0) return source.unread(chunk.subarray(chunk.length - behind));
  }
}
