import { join } from 'node:path';
import type { StorageEnv } from './storage-env.js';

/**
 * Returns the environment of a separate store beside the main one: a subfolder, or a longer prefix at a server. For
 * objects that are deleted again: in the main store others may use the same content, in an area only its owner does.
 */
export function storageArea(env: StorageEnv, area: 'exports'): StorageEnv {
  const url = env.STORAGE_URL && { ...env.STORAGE_URL, prefix: `${env.STORAGE_URL.prefix}${area}/` };
  return { ...env, STORAGE_DIR: join(env.STORAGE_DIR, area), STORAGE_URL: url };
}
