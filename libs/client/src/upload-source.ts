import { reportProgress, type Progress } from './report-progress.js';

export type ByteStream = ReadableStream<Uint8Array>;

/** Contents to send: a Blob, a stream, or a function that opens a stream. A stream is sent once, because it cannot be read again. */
export type UploadSource = Blob | ByteStream | (() => ByteStream);

/** Opens a source for each attempt, and reports the bytes that the platform has taken from it. */
export function toContent(source: UploadSource, onProgress?: (progress: Progress) => void) {
  const isSingleUse = source instanceof ReadableStream;
  const open = () => (typeof source === 'function' ? source() : source);
  if (!onProgress) return { body: open, isSingleUse };
  const total = source instanceof Blob ? source.size : null;
  return { body: () => withProgress(open(), total, onProgress), isSingleUse };
}

function withProgress(file: Blob | ByteStream, total: number | null, report: (progress: Progress) => void) {
  if (file instanceof ReadableStream) return reportProgress(file, total, report);
  return canStreamRequests() ? reportProgress(file.stream(), total, report) : reportEnds(file, report);
}

/** Browsers send streams over HTTP/2 only, and some send none. Outside of browsers `fetch` takes a stream. */
const canStreamRequests = (): boolean => typeof document === 'undefined';

function reportEnds(file: Blob, report: (progress: Progress) => void): Blob {
  report({ loaded: 0, total: file.size });
  return file;
}
