import { Redis } from 'ioredis';
import { readTestEnv } from './test-env.js';

/** Of Redis, unless it is told otherwise; the first is not ours. */
const DATABASES = 16;
/** Systems that a suite may have open at once, so that there are enough for five Jest workers. */
const MAX_OF_SUITE = 3;
const taken = new Set<number>();

export interface ClaimedRedis {
  url: string;
  /** Once nobody uses it any more. */
  release(): void;
}

/**
 * An emptied Redis database that nobody else uses, neither another Jest worker nor another system of the same suite: with
 * one database they would do each other's jobs.
 */
export async function claimRedis(): Promise<ClaimedRedis> {
  const { redisUrl: base, worker } = readTestEnv();
  const place = Array.from({ length: MAX_OF_SUITE }, (_, at) => at).find((at) => !taken.has(at));
  if (place === undefined) throw new Error(`A suite may have ${MAX_OF_SUITE} systems open at once`);
  const url = new URL(base);
  const database = Number(url.pathname.slice(1) || 0) + 1 + (worker - 1) * MAX_OF_SUITE + place;
  // The client would go on with the first one.
  if (database >= DATABASES) throw new Error('Redis has no databases for so many Jest workers');
  url.pathname = `/${database}`;
  taken.add(place);
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return { url: url.href, release: () => void taken.delete(place) };
}
