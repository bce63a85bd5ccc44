import { commonColumns, type ComparedColumn, type ComparedTable } from './compared-table.js';
import { existingRowsSql, rowIdsSql } from './row-ids-sql.js';
import { liveTextSql } from './value-sql.js';

/** SQL of a digest of a row `t`. Rows with many columns cannot be hashed for a join otherwise. */
export const digestSql = (columns: readonly ComparedColumn[]): string =>
  `sha256(convert_to(ROW(${columns.map(liveTextSql).join(', ')})::text, 'UTF8'))`;

/**
 * SQL of the ids of rows of a table without a key that only one of the runs has. If it has more copies of a row than the
 * other run, the last of them count. There is no index by values, so every page reads the rows of both runs.
 */
export function unmatchedIdsSql(
  table: ComparedTable,
  side: 'a' | 'b',
  { after, limit }: { after: bigint; limit: number },
): string {
  const digest = digestSql(commonColumns(table, table.a, table.b));
  const [own, other] = [table[side], table[side === 'a' ? 'b' : 'a']];
  return `
    WITH other AS MATERIALIZED (
      SELECT ${digest} AS digest, count(*) AS copies FROM ${existingRowsSql(table, rowIdsSql(table, other))} GROUP BY 1),
    own AS (
      SELECT id, digest, row_number() OVER (PARTITION BY digest ORDER BY id) AS copy
      FROM (SELECT t._id AS id, ${digest} AS digest FROM ${existingRowsSql(table, rowIdsSql(table, own))}) d)
    SELECT own.id::text FROM own LEFT JOIN other USING (digest)
    WHERE own.copy > coalesce(other.copies, 0) AND own.id > ${after} ORDER BY own.id LIMIT ${limit}`;
}
