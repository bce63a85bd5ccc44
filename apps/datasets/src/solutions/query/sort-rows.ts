import { Binder } from '@millrace/query/compile/binder';
import { CASTS } from '@millrace/query/compile/field-sql';
import type { Order } from '@millrace/query/fields/field';
import type { ReadSession, TextRow } from '../../reading/read-session.js';

/** Rows of one table, in its order. */
export interface TablePart {
  table: number;
  rows: TextRow[];
  hasMore: boolean;
}

/** Identifies a row by its part and its index there. */
export interface RowRef {
  part: number;
  at: number;
}

/**
 * Merges the rows of several tables into one order. Postgres sorts the ordering values, because no other code orders json
 * and addresses in the same way. Equal rows are in the order of their tables, and then in the order within a table.
 * @param orderIndex index in a row of its first ordering value
 */
export async function sortRows(
  session: ReadSession,
  parts: readonly TablePart[],
  order: readonly Order[],
  orderIndex: number,
): Promise<RowRef[]> {
  const refs = parts.flatMap(({ rows }, part) => rows.map((_, at) => ({ part, at })));
  if (order.length === 0) return refs;
  const binder = new Binder();
  const all = parts.flatMap(({ rows }) => rows);
  const lists = order.map((_, at) => binder.bind(JSON.stringify(all.map((row) => row[orderIndex + at] ?? null))));
  const values = lists.map((list, at) => `jsonb_array_elements_text(${list}::jsonb) AS o${at}`);
  const sorting = order.map(({ field: { column }, descending }, at) => {
    const value = `o${at}::${CASTS[column.type]}${column.type === 'text' ? ' COLLATE "C"' : ''}`;
    return `${value}${descending ? ' DESC' : ''} NULLS LAST`;
  });
  const text = `SELECT n::text FROM (SELECT ${values.join(', ')}, generate_series(0, ${all.length - 1}) AS n) AS r
    ORDER BY ${[...sorting, 'r.n'].join(', ')}`;
  const { rows } = await session.run({ text, values: binder.values });
  return rows.flatMap(([n]) => refs[Number(n)] ?? []);
}
