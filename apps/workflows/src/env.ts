import type { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { secretsEnv } from './secrets/secrets-env.js';

export const workflowsEnv = databaseEnv.extend(secretsEnv.shape);
export type WorkflowsEnv = z.output<typeof workflowsEnv>;
