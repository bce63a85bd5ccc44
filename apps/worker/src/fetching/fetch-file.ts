import type { FileRef } from '@millrace/contracts/runs/files';
import type { EgressResponse } from '@millrace/egress/requests/egress-client';
import { EgressError, readRetryAfter } from '@millrace/egress/requests/egress-error';
import { chooseFileName } from './choose-file-name.js';
import type { FetchTools } from './fetch-tools.js';

/** Maximum wait before the next attempt that a server can request. */
const MAX_WAIT_MS = 60_000;

/** Fetches a file into the store. @throws EgressError */
export async function fetchFile(url: string, tools: FetchTools): Promise<FileRef> {
  const response = await tools.outside.open(url, tools);
  if (response.status !== 200) {
    response.body.on('error', () => undefined).destroy();
    throw describeStatus(response);
  }
  return { path: chooseFileName(url), ...(await tools.store.put(response.body)) };
}

function describeStatus({ status, headers }: EgressResponse): EgressError {
  const isTransient = status === 429 || status >= 500;
  const requestedMs = isTransient ? readRetryAfter(String(headers['retry-after'] ?? '')) : null;
  const retryAfterMs = requestedMs === null ? null : Math.min(requestedMs, MAX_WAIT_MS);
  return new EgressError(`the server responded with status ${status}`, { isTransient, retryAfterMs });
}
