import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { DiskStore } from './disk/disk-store.js';
import { MeasuredStore } from './measured-store.js';
import type { ObjectStore } from './object-store.js';
import { ContentCache } from './s3/content-cache.js';
import { S3Bucket } from './s3/s3-bucket.js';
import { S3Store } from './s3/s3-store.js';
import type { S3Place } from './settings/read-storage-url.js';
import type { StorageEnv } from './settings/storage-env.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum time without a byte in either direction; a large object may take longer in total. */
const IDLE_TIMEOUT_MS = 30_000;
/**
 * A download occupies a socket while its client is slow. With the default of the SDK, 50, fifty slow downloads would
 * block all others.
 */
const MAX_SOCKETS = 500;

/**
 * Opens the object store of the environment; every service uses it.
 * @param cache folder of the local cache of a remote store, best on the disk on which `link` creates names
 */
export function openStore(env: StorageEnv, cache = join(env.STORAGE_DIR, 'cache')): ObjectStore {
  return new MeasuredStore(createStore(env, cache));
}

function createStore(env: StorageEnv, cache: string): ObjectStore {
  if (!env.STORAGE_URL) return new DiskStore(env.STORAGE_DIR);
  const bucket = new S3Bucket(connect(env, env.STORAGE_URL), env.STORAGE_URL);
  return new S3Store(bucket, new ContentCache(cache, env.STORAGE_CACHE));
}

function connect(env: StorageEnv, { endpoint, region, pathStyle }: S3Place): S3Client {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error('Set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither');
  }
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && {
        credentials: {
          accessKeyId,
          secretAccessKey,
          ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
        },
      }),
    maxAttempts: 4,
    // Other servers do not support the checksum trailers of Amazon; the hash in the name of an object verifies its
    // content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
}
