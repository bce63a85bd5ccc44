import type { RedisOptions } from 'bullmq';

/**
 * Converts a `redis://[user:password@]host[:port][/db]` URL to ioredis options. BullMQ requires that commands wait for
 * a reconnection instead of failing.
 */
export function redisOptions(redisUrl: string): RedisOptions {
  const url = new URL(redisUrl);
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
  };
}
