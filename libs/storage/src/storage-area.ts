import { join } from 'node:path';
import type { StorageEnv } from './storage-env.js';

/**
 * The environment of a store of its own beside the main one: a folder in its folder, below its prefix at a server.
 * For what is deleted again: in the main store nobody knows who else has a content, in an area its owner does.
 */
export function storageArea(env: StorageEnv, area: 'exports'): StorageEnv {
  const place = env.STORAGE_URL && { ...env.STORAGE_URL, prefix: `${env.STORAGE_URL.prefix}${area}/` };
  return { ...env, STORAGE_DIR: join(env.STORAGE_DIR, area), STORAGE_URL: place };
}
