import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { storageEnv } from '@millrace/storage/storage-env';

export const datasetsEnv = databaseEnv.extend({
  ...storageEnv.shape,
  /** Rows that the Live Tables of one vault may have together; absent is without a limit. */
  LIVE_ROWS_LIMIT: z.coerce.number().int().min(0).optional(),
  /** Milliseconds after which Postgres ends a query on a Live Table. */
  QUERY_TIMEOUT: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** Connections for queries on Live Tables, apart from the service's own. */
  QUERY_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(16),
});
export type DatasetsEnv = z.output<typeof datasetsEnv>;

/** Injection token of the service's environment. */
export const DATASETS_ENV = Symbol('environment');
