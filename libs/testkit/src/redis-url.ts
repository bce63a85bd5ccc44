import { Redis } from 'ioredis';
import { readTestEnv } from './test-env.js';

/** An emptied Redis database that no other Jest worker uses: the one named in TEST_REDIS_URL plus the worker's number. */
export async function redisUrl(): Promise<string> {
  const { redisUrl: base, worker } = readTestEnv();
  const url = new URL(base);
  url.pathname = `/${Number(url.pathname.slice(1) || 0) + worker}`;
  const client = new Redis(url.href, { maxRetriesPerRequest: 1 });
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
  return url.href;
}
