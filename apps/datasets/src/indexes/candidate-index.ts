import type { UsedColumn } from '@millrace/query/fields/used-columns';
import { BTREE_KINDS, NO_COLUMN, type IndexKind, type IndexId } from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL, type QueryColumn } from '../live/system-columns.js';
import type { LiveShape } from '../reading/live-shape.js';
import { canIndexType } from './can-index.js';

/** A range index serves equality and pages in the order of the column, too. */
const KINDS = {
  equality: 'range',
  range: 'range',
  order: 'range',
  ordered: 'ordered',
  trigram: 'trigram',
  contains: 'contains',
} as const satisfies Record<UsedColumn['kind'], IndexKind>;

/**
 * The index that serves a use of a column; null where there is none. None is made inside of json, for the path would be
 * text of the user's in SQL. The first column of the primary key has that of the key, and so few rows of one value that
 * they need no order.
 */
export function candidateIndex(
  { columns, leadingKeySql }: Pick<LiveShape, 'columns' | 'leadingKeySql'>,
  used: UsedColumn,
): IndexId | null {
  const kind = KINDS[used.kind];
  const numberFor = (name: string | undefined): number | null => {
    const column = columns.find((one) => one.name === name);
    return column && canIndexType(kind, column.type) ? numberOf(column) : null;
  };
  const column = used.path === undefined ? numberFor(used.column) : null;
  if (column === null) return null;
  if (!BTREE_KINDS.includes(kind)) return { column, kind, by: NO_COLUMN };
  if (columns.some(({ name, sql }) => name === used.column && sql === leadingKeySql)) return null;
  const by = kind === 'ordered' ? numberFor(used.by) : NO_COLUMN;
  return by === null ? null : { column, kind, by };
}

function numberOf({ sql, system }: QueryColumn): number | null {
  if (system) return sql === FIRST_SEEN_SQL ? FIRST_SEEN : null;
  return Number(sql.slice(1));
}
