import type { UsedColumn } from '@millrace/query/used-columns';
import { FIRST_SEEN, FIRST_SEEN_SQL, type QueryColumn } from '../live/system-columns.js';
import { NO_COLUMN, type IndexKind, type IndexPlace } from '../live/names.js';
import type { LiveShape } from '../reading/live-shape.js';

/**
 * The index that serves a use of a column; null where there is none. A range index serves equality and pages in the order
 * of the column, too. None is made inside of json, for the path would be text of the user's in SQL; nor for booleans, since
 * half a table is no less to read by an index. The first column of the primary key has that of the key, and so few rows of
 * one value that they need no order.
 */
export function wishedIndex(
  { columns, leading }: Pick<LiveShape, 'columns' | 'leading'>,
  used: UsedColumn,
): IndexPlace | null {
  const numbered = (wanted: string | undefined) => {
    const column = columns.find(({ name }) => name === wanted);
    const number = column ? numberOf(column) : null;
    return column && number !== null ? { ...column, number } : null;
  };
  const column = numbered(used.column);
  if (!column) return null;
  const wish = (kind: IndexKind, by = NO_COLUMN): IndexPlace => ({ column: column.number, kind, by });
  if (used.kind === 'contains') return used.path === undefined ? wish('contains') : null;
  if (used.path !== undefined || !isSortable(column)) return null;
  if (used.kind === 'trigram') return column.type === 'text' ? wish('trigram') : null;
  if (column.sql === leading) return null;
  if (used.kind !== 'ordered') return wish('range');
  const by = numbered(used.by);
  return by && isSortable(by) ? wish('ordered', by.number) : null;
}

const isSortable = ({ type }: Pick<QueryColumn, 'type'>): boolean => type !== 'json' && type !== 'boolean';

function numberOf({ sql, system }: QueryColumn): number | null {
  if (system) return sql === FIRST_SEEN_SQL ? FIRST_SEEN : null;
  return Number(sql.slice(1));
}
