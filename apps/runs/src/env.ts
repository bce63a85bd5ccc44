import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';

export const runsEnv = databaseEnv.extend({
  /** Folder of the object store that all services share. */
  STORAGE_DIR: z.string().min(1),
});
export type RunsEnv = z.output<typeof runsEnv>;
