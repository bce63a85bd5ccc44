import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { CASTS } from '@millrace/query/compile/field-sql';

/**
 * Types in Postgres. Text is compared by code point ("C"), which is the same on every machine and is what an index for
 * LIKE needs.
 */
export const POSTGRES_TYPE: Readonly<Record<ColumnType, string>> = { ...CASTS, text: 'text COLLATE "C"' };
