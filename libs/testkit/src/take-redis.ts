import { Redis } from 'ioredis';
import { readTestEnv } from './test-env.js';

/** Systems that a suite may have open at once. Redis has sixteen databases, and the first is not ours. */
const MOST_OF_SUITE = 3;
const taken = new Set<number>();

export interface TakenRedis {
  url: string;
  /** Once nobody uses it any more. */
  release(): void;
}

/**
 * An emptied Redis database that nobody else uses, neither another Jest worker nor another system of the same suite: with
 * one database they would do each other's jobs.
 */
export async function takeRedis(): Promise<TakenRedis> {
  const { redisUrl: base, worker } = readTestEnv();
  const place = Array.from({ length: MOST_OF_SUITE }, (_, at) => at).find((at) => !taken.has(at));
  if (place === undefined) throw new Error(`A suite may have ${MOST_OF_SUITE} systems open at once`);
  taken.add(place);
  const url = new URL(base);
  url.pathname = `/${Number(url.pathname.slice(1) || 0) + 1 + (worker - 1) * MOST_OF_SUITE + place}`;
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return { url: url.href, release: () => void taken.delete(place) };
}
