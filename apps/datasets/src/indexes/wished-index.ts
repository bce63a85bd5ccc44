import type { UsedColumn } from '@millrace/query/used-columns';
import { FIRST_SEEN, FIRST_SEEN_SQL, type QueryColumn } from '../live/system-columns.js';
import type { IndexKind } from '../live/names.js';
import type { LiveShape } from '../reading/live-shape.js';

export interface WishedIndex {
  column: number;
  kind: IndexKind;
}

/**
 * The index that serves a use of a column; null where there is none. A range index serves equality and pages in the order
 * of the column, too. None is made inside of json, for the path would be text of the user's in SQL; nor for booleans, since
 * half a table is no less to read by an index. The first column of the primary key has that of the key.
 */
export function wishedIndex(
  { columns, leading }: Pick<LiveShape, 'columns' | 'leading'>,
  used: UsedColumn,
): WishedIndex | null {
  const column = columns.find(({ name }) => name === used.column);
  const number = column ? numberOf(column) : null;
  if (!column || number === null) return null;
  if (used.kind === 'contains') return used.path === undefined ? { column: number, kind: 'contains' } : null;
  if (used.path !== undefined || column.type === 'json' || column.type === 'boolean') return null;
  if (used.kind === 'trigram') return column.type === 'text' ? { column: number, kind: 'trigram' } : null;
  return column.sql === leading ? null : { column: number, kind: 'range' };
}

function numberOf({ sql, system }: QueryColumn): number | null {
  if (system) return sql === FIRST_SEEN_SQL ? FIRST_SEEN : null;
  return Number(sql.slice(1));
}
