import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/**
 * Types in Postgres. Text is compared by code point ("C"), which is the same on every machine and is what an index for
 * LIKE needs.
 */
export const POSTGRES_TYPE: Record<ColumnType, string> = {
  text: 'text COLLATE "C"',
  bigint: 'bigint',
  double: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  inet: 'inet',
  uuid: 'uuid',
  json: 'jsonb',
};
