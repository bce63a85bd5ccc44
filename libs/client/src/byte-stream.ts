import type { Progress } from './report-progress.js';

export type ByteStream = ReadableStream<Uint8Array>;

export interface ByteStreamOptions {
  /** Bytes of the source; null if they are unknown. */
  total: number | null;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A Blob in memory is one chunk of its own stream in Node, so progress needs smaller ones. */
const MAX_CHUNK_BYTES = 64 * 1024;

/** Passes a stream or an iterable on, in chunks of at most 64 KiB, and reports the bytes of a chunk when it is requested. */
export function toByteStream(
  source: ByteStream | AsyncIterable<string | Uint8Array>,
  { total, onProgress }: ByteStreamOptions,
): ByteStream {
  const reader = toReader(source);
  let rest = new Uint8Array();
  let loaded = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          rest = toBytes(value);
        }
        const chunk = rest.subarray(0, MAX_CHUNK_BYTES);
        rest = rest.subarray(chunk.length);
        loaded += chunk.length;
        controller.enqueue(chunk);
        onProgress?.({ loaded, total });
      },
      cancel: async (reason) => {
        await reader.cancel(reason);
      },
    },
    // Reads nothing before the platform requests it, so that the progress is that of the request.
    { highWaterMark: 0 },
  );
}

export const isByteStream = (source: unknown): source is ByteStream =>
  typeof (source as Partial<ByteStream> | null)?.getReader === 'function';

interface Reader {
  read(): Promise<{ done?: boolean | undefined; value?: unknown }>;
  cancel(reason: unknown): Promise<unknown>;
}

function toReader(source: ByteStream | AsyncIterable<unknown>): Reader {
  if (isByteStream(source)) return source.getReader();
  const iterator = source[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: async () => iterator.return?.() };
}

function toBytes(chunk: unknown): Uint8Array<ArrayBuffer> {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError(`A stream to upload must consist of strings or Uint8Arrays (got ${typeof chunk})`);
}
