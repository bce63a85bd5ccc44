import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { byteSize } from '@millrace/storage/byte-size';
import { secretsEnv } from './secrets/secrets-env.js';

export const workflowsEnv = databaseEnv.extend({
  ...secretsEnv.shape,
  /** What the files of one vault may take together, in bytes; absent is without a limit. */
  STORAGE_QUOTA: byteSize.optional(),
  /** Catalogue of models in the form of models.yaml, in its place. */
  MODELS_FILE: z.string().min(1).optional(),
});
export type WorkflowsEnv = z.output<typeof workflowsEnv>;
