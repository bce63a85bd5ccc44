import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input } from '@millrace/contracts/kit/operation';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { fetchInputs, reportInputs } from '@millrace/contracts/runs/engine';
import { EgressError } from '@millrace/egress/requests/egress-error';
import { redactUrl } from '@millrace/egress/requests/next-hop';
import { type FetchTools, fetchFile } from './fetch-file.js';
import { fetchRepository } from './fetch-repository.js';

type Fetch = Payload<typeof fetchInputs>['inputs'][number];
type Settled = Omit<Input<typeof reportInputs>['body'], 'run'>;

/** URLs of one run that are fetched concurrently. */
const MAX_CONCURRENT_URLS = 2;

/** Attempts at one URL, and the wait before the second, which doubles for each further one. */
export interface RetryPolicy {
  attempts: number;
  waitMs: number;
}

/**
 * Fetches all inputs that a run names by URL, each URL once, and reports why others could not be fetched. Rejects only if this
 * worker is at fault.
 */
export async function fetchAll(fetches: Fetch[], tools: FetchTools, retryPolicy: RetryPolicy): Promise<Settled> {
  const groups = [...Map.groupBy(fetches, ({ type, url }) => `${type} ${url}`).values()];
  const settled: Settled = { inputs: [], problems: [] };
  const fault = new AbortController();
  const ownTools = { ...tools, signal: AbortSignal.any([tools.signal, fault.signal]) };
  const work = async () => {
    for (let same = groups.shift(); same; same = groups.shift()) await settle(same, ownTools, retryPolicy, settled);
  };
  const workers = Array.from({ length: MAX_CONCURRENT_URLS }, () =>
    work().catch((error: unknown) => {
      fault.abort(error);
      throw error;
    }),
  );
  // If one fails, the others stop, because nothing would use what they fetch.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return settled;
}

async function settle(same: Fetch[], tools: FetchTools, retryPolicy: RetryPolicy, settled: Settled): Promise<void> {
  const [{ type, url } = { type: 'FILE' as const, url: '' }] = same;
  try {
    const value = await fetchWithRetries(type, url, tools, retryPolicy);
    settled.inputs.push(...same.map(({ primitive }) => ({ primitive, value })));
  } catch (error) {
    if (!(error instanceof EgressError) || tools.signal.aborted) throw error;
    const message = `${redactUrl(url)}: ${error.message}`;
    settled.problems.push(...same.map(({ primitive }) => ({ primitive, message })));
  }
}

async function fetchWithRetries(type: Fetch['type'], url: string, tools: FetchTools, retryPolicy: RetryPolicy) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchOne(type, url, tools);
    } catch (error) {
      tools.signal.throwIfAborted();
      if (!(error instanceof EgressError) || !error.isTransient || attempt >= retryPolicy.attempts) throw error;
      const wait = error.retryAfterMs ?? retryPolicy.waitMs * 2 ** (attempt - 1);
      await sleep(wait, undefined, { signal: tools.signal });
    }
  }
}

const fetchOne = async (type: Fetch['type'], url: string, tools: FetchTools): Promise<InputValue> =>
  type === 'FILE' ? fetchFile(url, tools) : { folder: await fetchRepository(url, tools) };
