import { MillraceClient, type File as StoredFile, type Progress } from '@millrace/client';
import { sessionHeaders } from './client.js';

interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Uploads a file, and reports the bytes that were sent. A repeated attempt begins again at 0. */
export async function uploadWithProgress(path: string, content: Blob, options: UploadOptions): Promise<StoredFile> {
  // Browsers report the progress of a request only by XMLHttpRequest. The client keeps its retries and errors.
  const client = new MillraceClient({
    baseUrl: location.origin,
    fetch: (url, init) => sendWithProgress(url, init, options.onProgress),
  });
  return client.files.upload(path, content, { signal: options.signal });
}

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
