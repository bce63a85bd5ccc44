import type { ReadSession } from '../../reading/read-session.js';
import { columnsOf, type ComparedTable } from './compared-table.js';
import { ownRowIdsSql, rowIdsSql } from './row-ids-sql.js';
import { unmatchedIdsSql } from './unkeyed-rows.js';
import { liveTextSql, loadedRowSql, rowTextsSql, valueTextSql } from './value-sql.js';

export interface Scan {
  /** Ids of rows, in order. */
  ids: bigint[];
  /** All rows up to this id have been considered; null if there are no more. */
  scannedTo: bigint | null;
}

/** Finds rows that only one of the runs loaded, after a row and in the order of their ids. */
export function findUnmatchedIds(
  session: ReadSession,
  table: ComparedTable,
  side: 'a' | 'b',
  page: { after: bigint; limit: number },
): Promise<Scan> {
  return table.key.length > 0 ? findKeyed(session, table, side, page) : findUnkeyed(session, table, side, page);
}

/** Reads only as many ranges of ids as the page needs. Users may have deleted the rows of a range. */
async function findKeyed(
  session: ReadSession,
  table: ComparedTable,
  side: 'a' | 'b',
  { after, limit }: { after: bigint; limit: number },
): Promise<Scan> {
  const ids = `${rowIdsSql(table, table[side])} - ${rowIdsSql(table, table[side === 'a' ? 'b' : 'a'])}`;
  const text = `
    WITH chunk AS MATERIALIZED (
      SELECT greatest(lower(r), ${after + 1n}) AS first, upper(r) AS last FROM unnest(${ids}) r
      WHERE upper(r) > ${after + 1n} ORDER BY 1 LIMIT ${limit}),
    found AS (
      SELECT t._id FROM chunk c CROSS JOIN LATERAL (
        SELECT _id FROM ${table.table} WHERE _id >= c.first AND _id < c.last ORDER BY _id LIMIT ${limit}) t
      ORDER BY t._id LIMIT ${limit})
    SELECT _id::text, NULL FROM found
    UNION ALL SELECT NULL, (max(last) - 1)::text FROM chunk HAVING count(*) = ${limit}`;
  const { rows } = await session.run({ text, values: [] });
  const found = rows.flatMap(([id]) => (id == null ? [] : [BigInt(id)])).sort((one, other) => Number(one - other));
  const end = rows.find(([id]) => id == null)?.[1];
  const isFull = found.length === limit;
  return { ids: found, scannedTo: isFull ? (found.at(-1) ?? null) : end == null ? null : BigInt(end) };
}

async function findUnkeyed(
  session: ReadSession,
  table: ComparedTable,
  side: 'a' | 'b',
  page: { after: bigint; limit: number },
): Promise<Scan> {
  const { rows } = await session.run({ text: unmatchedIdsSql(table, side, page), values: [] });
  const ids = rows.map(([id]) => BigInt(id ?? 0));
  return { ids, scannedTo: ids.length === page.limit ? (ids.at(-1) ?? null) : null };
}

/** SQL of rows that a run has loaded, by their ids: id, key, and values as objects of texts. */
export function loadedRowsSql(table: ComparedTable, side: 'a' | 'b', ids: string): string {
  const key = table.key.length > 0 ? rowTextsSql(table.key, liveTextSql) : 'NULL';
  const parts = table[side];
  if (table.key.length === 0) {
    const values = rowTextsSql(columnsOf(table, parts), liveTextSql);
    return `SELECT t._id, ${key} AS key, ${values} AS row FROM ${table.table} t WHERE t._id = ANY(${ids})`;
  }
  const queries = parts.map((part, at) => {
    const columns = columnsOf(table, [part]);
    return `
      SELECT t._id, t.key, ${rowTextsSql(columns, (column) => valueTextSql('t.row', column))} AS row
      FROM (SELECT t._id, ${key} AS key, ${loadedRowSql(table, part.generation)} AS row FROM ${table.table} t
        WHERE t._id = ANY(${ids}) AND (SELECT ${ownRowIdsSql(table, parts, at)}) @> t._id OFFSET 0) t`;
  });
  return queries.join('\nUNION ALL\n');
}
