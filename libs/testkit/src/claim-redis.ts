import { Redis } from 'ioredis';
import { readTestEnv } from './test-env.js';

/** Redis' default number of databases. The tests do not use the first one. */
const DATABASES = 16;
/** Leaves enough databases for five Jest workers. */
const MAX_SYSTEMS_PER_SUITE = 3;
const claimedSlots = new Set<number>();

export interface ClaimedRedis {
  url: string;
  /** Call it when the last system of the suite has stopped using the database. */
  release(): void;
}

/**
 * Claims and empties a Redis database that no other Jest worker and no other system of the same suite uses. In one shared
 * database they would process each other's jobs.
 */
export async function claimRedis(): Promise<ClaimedRedis> {
  const { redisUrl: base, worker } = readTestEnv();
  const slot = Array.from({ length: MAX_SYSTEMS_PER_SUITE }, (_, index) => index).find(
    (index) => !claimedSlots.has(index),
  );
  if (slot === undefined)
    throw new Error(`A suite can have at most ${MAX_SYSTEMS_PER_SUITE} systems open at the same time.`);
  const url = new URL(base);
  const database = Number(url.pathname.slice(1) || 0) + 1 + (worker - 1) * MAX_SYSTEMS_PER_SUITE + slot;
  // With a number that is too large, the client would silently use the first database.
  if (database >= DATABASES)
    throw new Error(
      `Redis has only ${DATABASES} databases; reduce the number of Jest workers (this is worker ${worker}).`,
    );
  url.pathname = `/${database}`;
  claimedSlots.add(slot);
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return { url: url.href, release: () => void claimedSlots.delete(slot) };
}
