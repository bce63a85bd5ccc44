import { once } from 'node:events';
import type { ZstdDecompress, InflateRaw } from 'node:zlib';
import type { ByteSource } from './byte-source.js';

/**
 * What a decoder makes of the next bytes of a source, as far as its format goes; those behind are left there, for the
 * decoders of Node end at the first end that they come upon, and say nothing of what follows.
 * @throws what the source or the decoder fails with
 */
export async function* decodeFrame(source: ByteSource, decoder: ZstdDecompress | InflateRaw): AsyncGenerator<Buffer> {
  const ended = once(decoder, 'close').catch(() => undefined);
  // Fed by itself, for it takes more only when its output is taken.
  const fed = feed(source, decoder, ended).catch((error: unknown) => void decoder.destroy(error as Error));
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    decoder.destroy();
  }
  await fed;
}

async function feed(source: ByteSource, decoder: ZstdDecompress | InflateRaw, ended: Promise<unknown>): Promise<void> {
  for (let given = 0; !decoder.destroyed;) {
    const chunk = await source.next();
    if (!chunk) return void decoder.end();
    await Promise.race([new Promise((resolve) => decoder.write(chunk, resolve)), ended]);
    given += chunk.length;
    const behind = given - decoder.bytesWritten;
    if (behind > 0) return source.unread(chunk.subarray(chunk.length - behind));
  }
}
