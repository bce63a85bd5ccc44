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

const TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' };
/** It is answered some seconds after the last byte has arrived. */
const UPLOAD_MS = 60 * 60_000;

/** Sends rows for a Live Table as they are, without holding them in memory. */
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
      'content-type': TYPES[format],
      // Sent a second time, the same rows are not added a second time.
      'idempotency-key': randomId(),
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: () => (typeof rows === 'function' ? rows() : rows),
    isRepeatable: !(rows instanceof ReadableStream),
    isSingleUse: rows instanceof ReadableStream,
    timeoutMs: options.timeoutMs ?? UPLOAD_MS,
    ...(options.signal && { signal: options.signal }),
  });
  return load as Load;
}
