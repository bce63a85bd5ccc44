import { isByteStream, toByteStream, type ByteStream } from './byte-stream.js';
import type { Progress } from './report-progress.js';

/** Contents that can be read again: a string is sent as UTF-8. */
export type UploadValue = string | Uint8Array | Blob;

/** Contents that can be read once. A readable stream of Node is an async iterable. */
export type UploadStream = ByteStream | AsyncIterable<string | Uint8Array>;

/**
 * Contents to send: a value, a stream, or a function that returns one of them for each attempt. A stream of its own is sent once,
 * because it cannot be read again.
 */
export type UploadSource = UploadValue | UploadStream | (() => UploadValue | UploadStream);

export interface UploadContent {
  isSingleUse: boolean;
  /** Bytes of a stream that `body` opens, if they are known. `fetch` knows those of a Blob itself. */
  streamSize: number | null;
  /** Opens the contents for an attempt. */
  body: () => Blob | ByteStream;
  /** Must be called when the server has received everything. */
  reportEnd: () => void;
}

/**
 * Prepares a source.
 * @param onProgress receives the bytes that the platform has taken from a stream, or both ends of a Blob that it takes as a whole
 * @throws TypeError if the source is nothing that can be sent
 */
export function toContent(source: UploadSource, onProgress?: (progress: Progress) => void): UploadContent {
  const opened = typeof source === 'function' ? null : toBlobOrStream(source);
  const isStreamed = onProgress !== undefined && canStreamRequests();
  /** The Blob that the platform takes as a whole. */
  let whole: Blob | null = null;
  return {
    isSingleUse: opened !== null && !(opened instanceof Blob),
    streamSize: isStreamed && opened instanceof Blob ? opened.size : null,
    body: () => {
      const content = opened ?? toBlobOrStream((source as () => UploadValue | UploadStream)());
      if (!(content instanceof Blob)) return toByteStream(content, { total: null, onProgress });
      if (isStreamed) return toByteStream(content.stream(), { total: content.size, onProgress });
      whole = content;
      onProgress?.({ loaded: 0, total: whole.size });
      return whole;
    },
    reportEnd: () => {
      if (whole) onProgress?.({ loaded: whole.size, total: whole.size });
    },
  };
}

function toBlobOrStream(source: unknown): Blob | UploadStream {
  if (source instanceof Blob || isByteStream(source) || isAsyncIterable(source)) return source;
  if (typeof source === 'string' || ArrayBuffer.isView(source)) return new Blob([source as string]);
  throw new TypeError(
    `The contents to upload must be a string, a Uint8Array, a Blob, a stream or a function that returns one of them (got ${describe(source)})`,
  );
}

const isAsyncIterable = (source: unknown): source is AsyncIterable<string | Uint8Array> =>
  typeof (source as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] === 'function';

const describe = (source: unknown): string =>
  typeof source === 'object' && source !== null ? `an object of the type ${source.constructor?.name}` : typeof source;

/** Browsers send streams over HTTP/2 only, and some send none. Outside of browsers `fetch` takes a stream. */
const canStreamRequests = (): boolean => !('document' in globalThis || 'WorkerGlobalScope' in globalThis);
