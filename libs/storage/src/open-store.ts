import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { ContentCache } from './content-cache.js';
import { DiskStore } from './disk-store.js';
import type { ObjectStore } from './object-store.js';
import type { S3Place } from './read-storage-url.js';
import { S3Bucket } from './s3-bucket.js';
import { S3Store } from './s3-store.js';
import type { StorageEnv } from './storage-env.js';

const CONNECT_MS = 5_000;
/** Without a byte either way; a large object goes on for as long as it takes. */
const SILENCE_MS = 30_000;
/** A download holds a socket for as long as its client is slow; the SDK's own 50 would let fifty of them stop all others. */
const SOCKETS = 500;

/**
 * The store that the environment names: every service that has to do with objects opens it here.
 * @param cache folder of what is kept nearby of a store that is elsewhere; best on the disk that `link` is to put names on
 */
export function openStore(env: StorageEnv, cache = join(env.STORAGE_DIR, 'cache')): ObjectStore {
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
    // Other servers do not know Amazon's checksum trailers; that content is what it should be we know by its name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
}
