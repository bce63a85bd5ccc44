import { z } from 'zod';
import { databaseEnv } from '@millrace/service/env';
import { byteSize, UNITS } from '@millrace/storage/byte-size';
import { storageEnv } from '@millrace/storage/storage-env';
import type { LoadLimits } from './ingest/content/load-limits.js';

/** A whole number of at least one. */
const positive = z.coerce.number().int().min(1);

export const datasetsEnv = databaseEnv.extend({
  ...storageEnv.shape,
  /** Rows that the Live Tables of one vault may have together; absent is without a limit. */
  LIVE_ROWS_LIMIT: z.coerce.number().int().min(0).optional(),
  /** Bytes that one file of a load may have after it is unpacked. */
  LOAD_MAX_UNPACKED_BYTES: byteSize.default(32 * UNITS.G),
  /** How many times its packed size a file may unpack to; scan results of equal lines reach about 100. */
  LOAD_MAX_RATIO: positive.default(200),
  /** Rows of one load. Ten million take some minutes, so this ends what would take an hour. */
  LOAD_MAX_ROWS: positive.default(50_000_000),
  /** Milliseconds after which Postgres ends a query on a Live Table. */
  QUERY_TIMEOUT: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** Connections for queries on Live Tables, apart from the service's own. */
  QUERY_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(16),
});
export type DatasetsEnv = z.output<typeof datasetsEnv>;

/** The settings that bound one load. */
export const toLoadLimits = (env: DatasetsEnv): LoadLimits => ({
  unpackedBytes: env.LOAD_MAX_UNPACKED_BYTES,
  ratio: env.LOAD_MAX_RATIO,
  rows: env.LOAD_MAX_ROWS,
});

/** Injection token of the service's environment. */
export const DATASETS_ENV = Symbol('environment');
