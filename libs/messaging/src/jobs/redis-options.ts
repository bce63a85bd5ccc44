import type { RedisOptions } from 'bullmq';
import { tlsOptions, type TlsFiles } from '@millrace/persistence/connections/tls-options';

/**
 * Converts a `redis://[user:password@]host[:port][/db]` URL to ioredis options. With `rediss:`, connections use TLS and
 * verify the server. BullMQ requires that commands wait for a reconnection instead of failing.
 * @throws TlsFileError if a file cannot be used
 */
export function redisOptions(redisUrl: string, tls: TlsFiles = {}): RedisOptions {
  const url = new URL(redisUrl);
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: tlsOptions(tls) }),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(100 * attempt, 1_000),
  };
}
