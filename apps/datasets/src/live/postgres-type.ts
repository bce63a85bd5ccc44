import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { CASTS } from '@millrace/query/compile/field-sql';

/**
 * Postgres types of columns. Text is compared by code point ("C"), which is the same on every machine and which an index
 * for LIKE requires.
 */
export const POSTGRES_TYPE: Readonly<Record<ColumnType, string>> = { ...CASTS, text: 'text COLLATE "C"' };
