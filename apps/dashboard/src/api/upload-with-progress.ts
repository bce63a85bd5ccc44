import { type Load, MillraceClient, type File as StoredFile, type Progress } from '@millrace/client';
import { sessionHeaders } from './client.js';

/** How the rows of a file are written. */
interface RowFormat {
  format: 'json' | 'ndjson' | 'csv';
  encoding?: 'gzip' | 'zstd';
}

interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/**
 * A client whose requests report the bytes that were sent. A repeated attempt begins again at 0. Browsers report the progress
 * of a request only by XMLHttpRequest. The client keeps its retries and errors.
 */
const reportingClient = (onProgress: UploadOptions['onProgress']): MillraceClient =>
  new MillraceClient({
    baseUrl: location.origin,
    fetch: (url, init) => sendWithProgress(url, init, onProgress),
  });

/** Uploads a file to the storage. */
export const uploadWithProgress = (path: string, content: Blob, options: UploadOptions): Promise<StoredFile> =>
  reportingClient(options.onProgress).files.upload(path, content, { signal: options.signal });

/** Adds the rows of a file to a table. */
export const appendWithProgress = (
  table: string,
  content: Blob,
  { onProgress, ...options }: UploadOptions & RowFormat,
): Promise<Load> => reportingClient(onProgress).rows.append(table, content, options);

function sendWithProgress(url: string, init: RequestInit, onProgress: (progress: Progress) => void): Promise<Response> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'GET', url);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries(sessionHeaders(init.headers))) request.setRequestHeader(name, value);
    const fail = () => reject(new TypeError('Failed to fetch'));
    const abort = () => {
      request.abort();
      reject(signal?.reason as Error);
    };
    request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    request.onerror = fail;
    request.onload = () => resolve(toResponse(request));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    request.send(init.body as Blob);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(request.response as Blob, { status: request.status, headers });
}
