import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { columnName, tableName } from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL, lastSeenSql, systemColumns, type QueryColumn } from '../live/system-columns.js';

/** Everything that a query on a Live Table is compiled from, as of one revision of the table. */
export interface LiveShape {
  id: string;
  vault: string;
  space: string;
  /** Number of its physical tables. */
  number: number;
  revision: number;
  rows: number;
  /** SQL of the first column of the primary key; null without a primary key. */
  leadingKeySql: string | null;
  hasKey: boolean;
  /** Columns that a query may name: the user's in the order of their creation, then the system columns. */
  columns: readonly QueryColumn[];
  /** SQL of the columns that an index begins with. Pages can be read in their order. */
  indexed: ReadonlySet<string>;
  /** Trusted SQL of the latest generation that saw a row. */
  lastSeenSql: string;
}

/** A row of `SHAPE_SQL`. */
export interface ShapeRow {
  vault: string;
  space: string;
  number: number;
  revision: number;
  rows: string;
  columns: { number: number; name: string; type: ColumnType; key: number | null }[];
  /** Columns of the range indexes. */
  indexed: number[];
  sources: {
    number: number;
    latest: string | null;
    since: string | null;
    complete: string | null;
    run: string | null;
  }[];
}

/** One statement, so that all of it is from one snapshot. `$1` is the id of the table. */
export const SHAPE_SQL = `
  SELECT d.vault_id AS vault, d.space_id AS space, d.number, d.revision, d.rows::text AS rows,
    coalesce((SELECT jsonb_agg(jsonb_build_object('number', c.number, 'name', c.name, 'type', c.type,
        'key', c.key_position) ORDER BY c.number)
      FROM datasets.dataset_column c WHERE c.dataset_id = d.id), '[]') AS columns,
    ARRAY(SELECT i."column" FROM datasets.dataset_index i
      WHERE i.dataset_id = d.id AND i.kind = 'range' AND i.state = 'ready') AS indexed,
    coalesce((SELECT jsonb_agg(jsonb_build_object('number', s.number, 'latest', s.latest::text,
        'since', coalesce(s.since, s.latest)::text, 'complete', s.complete::text, 'run', g.run_id::text) ORDER BY s.number)
      FROM datasets.source s
      LEFT JOIN datasets.generation g ON g.dataset_id = s.dataset_id AND g.number = s.complete
      WHERE s.dataset_id = d.id), '[]') AS sources
  FROM datasets.dataset d WHERE d.id = $1::uuid`;

export function toShape(id: string, { columns, sources, indexed, ...row }: ShapeRow): LiveShape {
  const own = columns.map((column) => ({
    name: column.name,
    type: column.type,
    sql: columnName(column.number),
    system: false,
  }));
  const first = columns.find(({ key }) => key === 1);
  const leadingKeySql = first ? columnName(first.number) : null;
  const hasKey = leadingKeySql !== null;
  const states = sources.map((source) => ({
    number: source.number,
    latest: toBigint(source.latest),
    since: toBigint(source.since),
    complete: toBigint(source.complete),
    completeRun: toBigint(source.run),
  }));
  const userNames = new Set(own.map(({ name }) => name));
  const system = systemColumns({ datasetId: id, hasKey, sources: states, userNames });
  return {
    ...row,
    id,
    rows: Number(row.rows),
    leadingKeySql,
    hasKey,
    columns: [...own, ...system],
    indexed: indexedBy(leadingKeySql, indexed),
    lastSeenSql: lastSeenSql({ hasKey, sources: states }),
  };
}

/** The index of the primary key begins with its first column; `_id` always has an index. */
function indexedBy(leading: string | null, indexed: readonly number[]): Set<string> {
  const own = indexed.filter((number) => number !== FIRST_SEEN).map(columnName);
  return new Set([
    '_id',
    ...(leading === null ? [] : [leading]),
    ...own,
    ...(indexed.includes(FIRST_SEEN) ? [FIRST_SEEN_SQL] : []),
  ]);
}

const toBigint = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits));

/** The table and key column that libs/query needs. */
export const toTableRef = ({ number }: Pick<LiveShape, 'number'>): { table: string; key: string } => ({
  table: tableName(number),
  key: '_id',
});
