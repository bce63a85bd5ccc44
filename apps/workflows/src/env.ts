import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';

export const workflowsEnv = databaseEnv.extend({
  /** Catalogue of models in the form of models.yaml, in its place. */
  MODELS_FILE: z.string().min(1).optional(),
});
export type WorkflowsEnv = z.output<typeof workflowsEnv>;
