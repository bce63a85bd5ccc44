import { z } from 'zod';
import { byteSize, UNITS } from './byte-size.js';
import { readStorageUrl } from './read-storage-url.js';

/** What a service that reads or writes objects is told about where they are; a part of its own schema. */
export const storageEnv = z.object({
  /** Folder of the objects that all services of one machine share; with STORAGE_URL, of what is kept of them nearby. */
  STORAGE_DIR: z.string().min(1),
  /** An S3-compatible server in place of the folder. */
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
  /** How much of what lies at STORAGE_URL a machine keeps nearby. */
  STORAGE_CACHE: byteSize.default(10 * UNITS.G),
  /** Without both, the credentials are found as Amazon's SDK finds them (profile, role of the machine). */
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
});
export type StorageEnv = z.output<typeof storageEnv>;

/** The settings of the store alone, out of a larger environment: what a thread needs to open it. */
export const pickStorageEnv = (env: StorageEnv): StorageEnv =>
  Object.fromEntries(Object.keys(storageEnv.shape).map((key) => [key, env[key as keyof StorageEnv]])) as StorageEnv;
