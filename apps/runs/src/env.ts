import { z } from 'zod';
import { databaseEnv } from '@millrace/service/startup/env';
import { byteSize } from '@millrace/storage/settings/byte-size';
import { storageEnv } from '@millrace/storage/settings/storage-env';

export const runsEnv = databaseEnv.extend(storageEnv.shape).extend({
  /** A cached result that no run uses for this long is deleted. */
  CACHE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  /** A run that ended less than this time ago is not deleted by retention. */
  RETENTION_GRACE_MINUTES: z.coerce.number().int().min(0).max(10_080).default(5),
  /** Bytes that the files and runs of a vault may store; no limit if absent. */
  STORAGE_QUOTA: byteSize.optional(),
  /** A stored object that nothing refers to is deleted after this time. */
  CONTENT_GRACE_SECONDS: z.coerce.number().int().min(60).max(86_400).default(900),
  /** Dispatches of all runs of a vault at once. */
  VAULT_MAX_DISPATCHES: z.coerce.number().int().min(1).max(1_000_000).default(1_000_000),
  /** Runs of a vault that have not ended. */
  VAULT_MAX_ACTIVE_RUNS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  /** A sandbox without activity for this long is stopped. */
  SANDBOX_IDLE_MINUTES: z.coerce.number().positive().max(480).default(30),
});
export type RunsEnv = z.output<typeof runsEnv>;
