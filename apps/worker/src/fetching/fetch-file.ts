import { type FileRef } from '@millrace/contracts/runs/files';
import { EgressError } from '@millrace/egress/egress-error';
import { type OutsideResponse } from '@millrace/egress/outside';
import { type FetchTools } from './fetch-tools.js';
import { nameFile } from './name-file.js';

/** Longest that a server may have us wait before the next try. */
const MOST_WAIT_MS = 60_000;

/** Brings a file in. @throws EgressError */
export async function fetchFile(url: string, tools: FetchTools): Promise<FileRef> {
  const response = await tools.outside.open(url, tools);
  if (response.status !== 200) {
    response.body.on('error', () => undefined).destroy();
    throw sayStatus(response);
  }
  return { path: nameFile(url), ...(await tools.store.put(response.body)) };
}

function sayStatus({ status, headers }: OutsideResponse): EgressError {
  const isTransient = status === 429 || status >= 500;
  const retryAfterMs = isTransient ? readRetryAfter(String(headers['retry-after'] ?? '')) : null;
  return new EgressError(`the server answered ${status}`, { isTransient, retryAfterMs });
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(text: string): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MOST_WAIT_MS) : null;
}
