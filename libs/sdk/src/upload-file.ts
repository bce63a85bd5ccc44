import type { Operation } from '@millrace/contracts/kit/operation';
import { uploadFile as operation } from '@millrace/contracts/workflows/storage';
import { buildUrl } from './build-url.js';
import type { CallOptions } from './call-input.js';
import { fileForm } from './file-form.js';
import { randomId } from './random-id.js';
import type { StoredFile } from './records.js';
import type { HttpRequest } from './transport.js';

export type ByteStream = ReadableStream<Uint8Array>;
export type UploadSource = Blob | ByteStream | (() => ByteStream);

/** An upload is answered when its last byte has arrived, so it has far longer than a call. */
const UPLOAD_MS = 60 * 60_000;

/** Sends a file as `multipart/form-data` without holding it in memory. */
export async function uploadFile(
  requestJson: (operation: Operation, request: HttpRequest) => Promise<unknown>,
  baseUrl: string,
  path: string,
  source: UploadSource,
  options: CallOptions,
): Promise<StoredFile> {
  const form = fileForm(path, randomId());
  const body = () => form.around(typeof source === 'function' ? source() : source);
  const stored = await requestJson(operation, {
    method: operation.method,
    url: buildUrl(baseUrl, operation.path, {}, {}),
    headers: { accept: 'application/json', 'content-type': form.contentType },
    body,
    // The same path again holds the same bytes again, so a second try does no harm.
    repeatable: !(source instanceof ReadableStream),
    once: source instanceof ReadableStream,
    timeoutMs: options.timeoutMs ?? UPLOAD_MS,
    ...(options.signal && { signal: options.signal }),
  });
  return stored as StoredFile;
}
