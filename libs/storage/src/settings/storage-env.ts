import { join } from 'node:path';
import { z } from 'zod';
import { UNITS, byteSize } from './byte-size.js';
import { readStorageUrl } from './read-storage-url.js';

/** Environment variables of the object store, as part of the schema of a service. */
export const storageEnv = z.object({
  /** Folder of the objects, shared by all services of a machine; with STORAGE_URL, of their local cache. */
  STORAGE_DIR: z.string().min(1),
  /** Location at an S3-compatible server, instead of the folder. */
  STORAGE_URL: z
    .string()
    .transform((text, context) => {
      try {
        return readStorageUrl(text);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    })
    .optional(),
  /** Maximum size of the local cache of STORAGE_URL. */
  STORAGE_CACHE: byteSize.default(10 * UNITS.G),
  /** If both are absent, the Amazon SDK finds credentials (profile, role of the machine). */
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
});
export type StorageEnv = z.output<typeof storageEnv>;

/** Selects the variables of the store from a larger environment, for a thread that opens it. */
export const pickStorageEnv = (env: StorageEnv): StorageEnv =>
  Object.fromEntries(Object.keys(storageEnv.shape).map((key) => [key, env[key as keyof StorageEnv]])) as StorageEnv;

/**
 * Returns the environment of a separate store beside the main one: a subfolder, or a longer prefix at a server. For
 * objects that are deleted again: in the main store others may use the same content, in an area only its owner does.
 */
export function storageArea(env: StorageEnv, area: 'exports'): StorageEnv {
  const url = env.STORAGE_URL && { ...env.STORAGE_URL, prefix: `${env.STORAGE_URL.prefix}${area}/` };
  return { ...env, STORAGE_DIR: join(env.STORAGE_DIR, area), STORAGE_URL: url };
}
