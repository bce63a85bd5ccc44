import { databaseEnv } from '@millrace/service/env';
import { z } from 'zod';

export const runsEnv = databaseEnv.extend({
  /** Folder of the object store that all services share. */
  STORAGE_DIR: z.string().min(1),
});
export type RunsEnv = z.output<typeof runsEnv>;
