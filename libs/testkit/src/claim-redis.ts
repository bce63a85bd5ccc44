import { Redis } from 'ioredis';
import { readTestEnv } from './test-env.js';

/** Redis' default number of databases. The tests do not use the first one. */
const DATABASES = 16;
/** The maximum number of open systems per suite, which leaves enough databases for five Jest workers. */
const MAX_OF_SUITE = 3;
const taken = new Set<number>();

export interface ClaimedRedis {
  url: string;
  /** Call it when no system uses the database. */
  release(): void;
}

/**
 * Claims and empties a Redis database that no other Jest worker and no other system of the same suite uses. In one shared
 * database they would process each other's jobs.
 */
export async function claimRedis(): Promise<ClaimedRedis> {
  const { redisUrl: base, worker } = readTestEnv();
  const place = Array.from({ length: MAX_OF_SUITE }, (_, at) => at).find((at) => !taken.has(at));
  if (place === undefined) throw new Error(`A suite may have ${MAX_OF_SUITE} systems open at once`);
  const url = new URL(base);
  const database = Number(url.pathname.slice(1) || 0) + 1 + (worker - 1) * MAX_OF_SUITE + place;
  // With a number that is too large, the client would silently use the first database.
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
