import { z } from 'zod';
import { readStorageUrl } from '@millrace/storage/settings/read-storage-url';

/** True for an address without user and password, because each joined worker has its own. */
const hasNoCredentials = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.username === '' && url.password === '';
};

/** Settings for workers on other machines, as these machines see the servers. Without the two addresses nobody can join. */
export const joinEnv = {
  WORKER_JOIN_REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .refine(hasNoCredentials, { error: 'must not contain credentials: each joined worker gets its own' })
    .optional(),
  /** Certificates of the authorities that sign the certificate of Redis, if they are not public ones. */
  WORKER_JOIN_REDIS_CA_FILE: z.string().min(1).optional(),
  /** Location of the objects, as in STORAGE_URL: a folder cannot be shared with other machines. */
  WORKER_JOIN_STORAGE_URL: z
    .string()
    .check((context) => {
      try {
        readStorageUrl(context.value);
      } catch (error) {
        context.issues.push({ code: 'custom', message: (error as Error).message, input: context.value });
      }
    })
    .optional(),
  /** The keys of joined workers for the objects; without them, each machine has access of its own. */
  WORKER_JOIN_ACCESS_KEY_ID: z.string().min(1).optional(),
  WORKER_JOIN_SECRET_ACCESS_KEY: z.string().min(1).optional(),
};
