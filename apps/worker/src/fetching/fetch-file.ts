import type { FileRef } from '@millrace/contracts/runs/files';
import type { AllowList } from '@millrace/egress/addresses/allow-list';
import type { EgressClient, EgressResponse } from '@millrace/egress/requests/egress-client';
import { EgressError, readRetryAfter } from '@millrace/egress/requests/egress-error';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Tools and limits of a fetch. */
export interface FetchTools {
  store: ObjectStore;
  outside: EgressClient;
  allowed: AllowList;
  /** Folder for downloads in progress, on the disk of the store if possible. */
  scratch: string;
  /** Maximum size of a file or a repository. */
  maxBytes: number;
  /** For one attempt at one URL. */
  timeoutMs: number;
  /** Ends the fetch early: the run was stopped, or this worker shuts down. */
  signal: AbortSignal;
}

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

const MAX_NAME_BYTES = 200;

/** Name of a fetched file: the last part of its URL's path, made valid for a file system; `download` without one. */
export function chooseFileName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = [...decode(last).normalize('NFC')]
    .map((character) => (/[\p{Cc}\p{Cf}\p{Cs}/\\\uFFFD]/u.test(character) ? '_' : character))
    .slice(0, MAX_NAME_BYTES / 4)
    .join('');
  return /^\.*$/.test(name) ? 'download' : name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
