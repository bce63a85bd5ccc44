import { z } from 'zod';
import { databaseEnv } from '@millrace/service/startup/env';
import { byteSize } from '@millrace/storage/settings/byte-size';

export const workflowsEnv = databaseEnv.extend({
  /** JSON file of master keys, newest first; without it one is derived from MILLRACE_SECRET. */
  SECRETS_KEY_FILE: z.string().min(1).optional(),
  /** Maximum total size of one vault's files, in bytes; no limit if absent. */
  STORAGE_QUOTA: byteSize.optional(),
  /** Catalogue of models that replaces models.yaml, in the same format. */
  MODELS_FILE: z.string().min(1).optional(),
});
export type WorkflowsEnv = z.output<typeof workflowsEnv>;
