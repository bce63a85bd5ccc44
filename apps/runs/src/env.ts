import type { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { storageEnv } from '@millrace/storage/storage-env';

export const runsEnv = databaseEnv.extend(storageEnv.shape);
export type RunsEnv = z.output<typeof runsEnv>;
