import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { IndexKind } from '../live/names.js';

/**
 * Whether an index of a kind can be of a column of a type. Nothing is ordered by json; nor is a boolean worth an index, since
 * half a table is no less to read by one.
 */
export function fitsColumn(kind: IndexKind, type: ColumnType): boolean {
  if (kind === 'contains') return type === 'json';
  if (kind === 'trigram') return type === 'text';
  return type !== 'json' && type !== 'boolean';
}
