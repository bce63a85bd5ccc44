import type { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { byteCount } from '@millrace/storage/byte-count';

export const workflowsEnv = databaseEnv.extend({
  /** What the files of one vault may take together, in bytes; absent is without a limit. */
  STORAGE_QUOTA: byteCount.optional(),
});
export type WorkflowsEnv = z.output<typeof workflowsEnv>;
