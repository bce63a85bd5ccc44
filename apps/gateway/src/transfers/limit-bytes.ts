import type { Readable } from 'node:stream';

/**
 * Passes on at most `maxBytes` bytes, then throws `error()`. A stream of which not everything is read stays open: a request
 * that is destroyed could not be read to its end, so that its client gets the response (`lingerBeforeClose`).
 */
export async function* limitBytes(content: Readable, maxBytes: number, error: () => Error): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw error();
    yield chunk;
  }
}
