import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { UsedColumn } from '@millrace/query/fields/used-columns';
import { BTREE_KINDS, NO_COLUMN, type IndexKind, type IndexId, INDEX_KINDS } from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL, type QueryColumn } from '../live/system-columns.js';
import type { LiveShape } from '../reading/live-shape.js';

/** A range index also serves equality and pages in the order of the column. */
const KINDS = {
  equality: 'range',
  range: 'range',
  order: 'range',
  ordered: 'ordered',
  trigram: 'trigram',
  contains: 'contains',
} as const satisfies Record<UsedColumn['kind'], IndexKind>;

/**
 * The index that would serve a use of a column; null if there is none. A path inside json gets no index, because the path
 * would be the user's text in SQL. The first column of the primary key is served by the key's index, and has so few rows
 * with the same value that they need no order.
 */
export function candidateIndex(
  { columns, leadingKeySql }: Pick<LiveShape, 'columns' | 'leadingKeySql'>,
  used: UsedColumn,
): IndexId | null {
  const kind = KINDS[used.kind];
  const findIndexable = (name: string | undefined): number | null => {
    const column = columns.find((one) => one.name === name);
    return column && canIndexType(kind, column.type) ? numberOf(column) : null;
  };
  const column = used.path === undefined ? findIndexable(used.column) : null;
  if (column === null) return null;
  if (!BTREE_KINDS.includes(kind)) return { column, kind, by: NO_COLUMN };
  if (columns.some(({ name, sql }) => name === used.column && sql === leadingKeySql)) return null;
  const by = kind === 'ordered' ? findIndexable(used.by) : NO_COLUMN;
  return by === null ? null : { column, kind, by };
}

function numberOf({ sql, system }: QueryColumn): number | null {
  if (system) return sql === FIRST_SEEN_SQL ? FIRST_SEEN : null;
  return Number(sql.slice(1));
}

/**
 * Whether a column of this type can have an index of this kind. A json value has no useful order. An index on a boolean is
 * not worth its cost, because it leaves half of the table to read.
 */
function canIndexType(kind: IndexKind, type: ColumnType): boolean {
  if (kind === 'contains') return type === 'json';
  if (kind === 'trigram') return type === 'text';
  return type !== 'json' && type !== 'boolean';
}

/** Whether an index still fits the current columns, which may have changed since it was requested. */
export function canIndexColumns(
  { kind, column, by }: { kind: string; column: number; by: number },
  columns: readonly { number: number; type: string }[],
): boolean {
  const canIndex = (columnNumber: number) => {
    const type =
      columnNumber === FIRST_SEEN ? 'timestamp' : columns.find(({ number }) => number === columnNumber)?.type;
    return type !== undefined && isKind(kind) && canIndexType(kind, type as ColumnType);
  };
  return canIndex(column) && (by === NO_COLUMN || canIndex(by));
}

const isKind = (kind: string): kind is IndexKind => (INDEX_KINDS as readonly string[]).includes(kind);
