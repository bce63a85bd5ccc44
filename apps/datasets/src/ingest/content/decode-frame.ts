import { once } from 'node:events';
import type { ZstdDecompress, InflateRaw } from 'node:zlib';
import type { ByteSource } from './byte-source.js';

/**
 * Decodes one frame from the start of a source. Bytes behind the frame stay in the source: the decoders of Node stop at the
 * end of a frame and do not report what follows.
 * @throws what the source or the decoder fails with
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
