import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { storageEnv } from '@millrace/storage/storage-env';

export const runsEnv = databaseEnv.extend(storageEnv.shape).extend({
  /** A sandbox in which nothing happens for so long is stopped. */
  SANDBOX_IDLE_MINUTES: z.coerce.number().positive().max(480).default(30),
});
export type RunsEnv = z.output<typeof runsEnv>;
