import { z } from 'zod';
import { databaseEnv } from '@millrace/service/startup/env';
import { byteSize, UNITS } from '@millrace/storage/settings/byte-size';
import { storageEnv } from '@millrace/storage/settings/storage-env';
import type { LoadLimits } from './ingest/content/load-limits.js';

const positiveInteger = z.coerce.number().int().min(1);

export const datasetsEnv = databaseEnv.extend({
  ...storageEnv.shape,
  /** Rows that the Live Tables of one vault may have together; no limit if absent. */
  LIVE_ROWS_LIMIT: z.coerce.number().int().min(0).optional(),
  /** Bytes that one file of a load may have after decompression. */
  LOAD_MAX_UNPACKED_BYTES: byteSize.default(32 * UNITS.G),
  /** Decompressed size divided by compressed size. Scan results with many equal lines reach about 100. */
  LOAD_MAX_RATIO: positiveInteger.default(200),
  /** Rows of one load. Ten million take some minutes, so this limit stops loads that would take an hour. */
  LOAD_MAX_ROWS: positiveInteger.default(50_000_000),
  /** Days after its end for which a load is listed, with its rejected rows and the changes that it made. Rows stay. */
  LOAD_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(365),
  /** Milliseconds after which Postgres cancels a query on a Live Table. */
  QUERY_TIMEOUT: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** Connections for queries on Live Tables, in addition to the service's own. */
  QUERY_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(16),
});
export type DatasetsEnv = z.output<typeof datasetsEnv>;

/** The settings that limit one load. */
export const toLoadLimits = (env: DatasetsEnv): LoadLimits => ({
  unpackedBytes: env.LOAD_MAX_UNPACKED_BYTES,
  ratio: env.LOAD_MAX_RATIO,
  rows: env.LOAD_MAX_ROWS,
});

/** Injection token of the service's environment. */
export const DATASETS_ENV = Symbol('environment');
