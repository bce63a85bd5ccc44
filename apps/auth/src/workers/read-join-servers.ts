import { readFileSync } from 'node:fs';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { AuthEnv } from '../env.js';

/** The servers of joined workers, as their machines see them. */
export interface JoinServers {
  redisUrl: URL;
  /** Certificates in PEM format. */
  redisCa?: string;
  storageUrl: string;
  storageKeys?: { id: string; secret: string };
}

type JoinSettings = Pick<AuthEnv, Extract<keyof AuthEnv, `WORKER_JOIN_${string}`>>;

/** @throws ApiError `forbidden` if the installation has no settings for joined workers */
export function readJoinServers(env: JoinSettings): JoinServers {
  const { WORKER_JOIN_REDIS_URL: redis, WORKER_JOIN_STORAGE_URL: storage, WORKER_JOIN_REDIS_CA_FILE: caFile } = env;
  const { WORKER_JOIN_ACCESS_KEY_ID: id, WORKER_JOIN_SECRET_ACCESS_KEY: secret } = env;
  const missing = Object.entries({ WORKER_JOIN_REDIS_URL: redis, WORKER_JOIN_STORAGE_URL: storage })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (redis === undefined || storage === undefined)
    throw new ApiError(
      'forbidden',
      `This installation accepts no workers from other machines. An administrator of the server must set ${missing.join(' and ')} (docs/guides/workers.md). Objects in a folder cannot be shared with other machines, so S3 storage is required.`,
    );
  return {
    redisUrl: new URL(redis),
    ...(caFile !== undefined && { redisCa: readFileSync(caFile, 'utf8') }),
    storageUrl: storage,
    ...(id !== undefined && secret !== undefined && { storageKeys: { id, secret } }),
  };
}
