import { appendRows as operation } from '@millrace/contracts/datasets/rows';
import type { Operation } from '@millrace/contracts/kit/operation';
import { buildUrl } from './build-url.js';
import type { CallOptions } from './call-input.js';
import { randomId } from './random-id.js';
import type { Load } from './records.js';
import type { HttpRequest } from './transport.js';
import type { UploadSource } from './upload-file.js';

export interface AppendOptions extends CallOptions {
  format: 'json' | 'ndjson' | 'csv';
  encoding?: 'gzip' | 'zstd';
}

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' };
/** The server responds some seconds after it has received the last byte. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;

/** Sends rows to a Live Table unmodified, without loading them into memory. */
export async function appendRows(
  requestJson: (operation: Operation, request: HttpRequest) => Promise<unknown>,
  baseUrl: string,
  dataset: string,
  rows: UploadSource | string,
  { format, encoding, ...options }: AppendOptions,
): Promise<Load> {
  const load = await requestJson(operation, {
    method: operation.method,
    url: buildUrl(baseUrl, operation.path, { id: dataset }, {}),
    headers: {
      accept: 'application/json',
      'content-type': CONTENT_TYPES[format],
      // The server adds the rows once, even if it receives this request several times.
      'idempotency-key': randomId(),
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: () => (typeof rows === 'function' ? rows() : rows),
    isRepeatable: !(rows instanceof ReadableStream),
    isSingleUse: rows instanceof ReadableStream,
    timeoutMs: options.timeoutMs ?? UPLOAD_TIMEOUT_MS,
    ...(options.signal && { signal: options.signal }),
  });
  return load as Load;
}
