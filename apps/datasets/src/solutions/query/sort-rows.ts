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

/** Which row: of which part, at what place there. */
export interface RowPlace {
  part: number;
  at: number;
}

/**
 * The order in which rows of several tables come together. Postgres sorts what they are ordered by, since only it orders
 * json and addresses as it does; equals come by table, and in a table as they are.
 * @param from place in a row of the values that it is ordered by
 */
export async function sortRows(
  session: ReadSession,
  parts: readonly TablePart[],
  order: readonly Order[],
  from: number,
): Promise<RowPlace[]> {
  const places = parts.flatMap(({ rows }, part) => rows.map((_, at) => ({ part, at })));
  if (order.length === 0) return places;
  const binder = new Binder();
  const all = parts.flatMap(({ rows }) => rows);
  const lists = order.map((_, at) => binder.bind(JSON.stringify(all.map((row) => row[from + at] ?? null))));
  const values = lists.map((list, at) => `jsonb_array_elements_text(${list}::jsonb) AS o${at}`);
  const sorting = order.map(({ field: { column }, descending }, at) => {
    const value = `o${at}::${CASTS[column.type]}${column.type === 'text' ? ' COLLATE "C"' : ''}`;
    return `${value}${descending ? ' DESC' : ''} NULLS LAST`;
  });
  const text = `SELECT n::text FROM (SELECT ${values.join(', ')}, generate_series(0, ${all.length - 1}) AS n) AS r
    ORDER BY ${[...sorting, 'r.n'].join(', ')}`;
  const { rows } = await session.run({ text, values: binder.values });
  return rows.flatMap(([n]) => places[Number(n)] ?? []);
}
