import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input } from '@millrace/contracts/kit/operation';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { fetchInputs, reportInputs } from '@millrace/contracts/runs/engine';
import { EgressError } from '@millrace/egress/requests/egress-error';
import { redactUrl } from '@millrace/egress/requests/next-hop';
import { fetchFile } from './fetch-file.js';
import { fetchRepository } from './fetch-repository.js';
import type { FetchTools } from './fetch-tools.js';

type Fetch = Payload<typeof fetchInputs>['inputs'][number];
type Settled = Omit<Input<typeof reportInputs>['body'], 'run'>;

/** URLs of one run that are fetched at the same time. */
const AT_ONCE = 2;

/** Tries at one URL, and the wait before the second; it doubles. */
export interface RetryPolicy {
  tries: number;
  waitMs: number;
}

/**
 * Brings in all that a run was given by URL, each URL once, and says what could not be had and why. Fails only where this
 * worker is at fault.
 */
export async function fetchAll(fetches: Fetch[], tools: FetchTools, retryPolicy: RetryPolicy): Promise<Settled> {
  const groups = [...Map.groupBy(fetches, ({ type, url }) => `${type} ${url}`).values()];
  const settled: Settled = { inputs: [], problems: [] };
  const fault = new AbortController();
  const own = { ...tools, signal: AbortSignal.any([tools.signal, fault.signal]) };
  const work = async () => {
    for (let same = groups.shift(); same; same = groups.shift()) await settle(same, own, retryPolicy, settled);
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      fault.abort(error);
      throw error;
    }),
  );
  // None of them goes on for nobody once another has failed.
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
  for (let tried = 1; ; tried += 1) {
    try {
      return await fetchOne(type, url, tools);
    } catch (error) {
      tools.signal.throwIfAborted();
      if (!(error instanceof EgressError) || !error.isTransient || tried >= retryPolicy.tries) throw error;
      const wait = error.retryAfterMs ?? retryPolicy.waitMs * 2 ** (tried - 1);
      await sleep(wait, undefined, { signal: tools.signal });
    }
  }
}

const fetchOne = async (type: Fetch['type'], url: string, tools: FetchTools): Promise<InputValue> =>
  type === 'FILE' ? fetchFile(url, tools) : { folder: await fetchRepository(url, tools) };
