import { commonColumns, type ComparedColumn, type ComparedTable } from './compared-table.js';
import { ownRowIdsSql } from './row-ids-sql.js';
import { liveTextSql, rowAfterSql, rowTextsSql, valueDiffersSql, valueTextSql } from './value-sql.js';

/** A part of each run. Together the pairs have all rows that both runs loaded. */
interface PartPair {
  a: bigint;
  b: bigint;
  /** SQL of the ids of the rows that both parts have. */
  ids: string;
  columns: readonly ComparedColumn[];
}

function findPairs(table: ComparedTable): PartPair[] {
  return table.a.flatMap((a, atA) =>
    table.b.map((b, atB) => ({
      a: a.generation,
      b: b.generation,
      ids: `${ownRowIdsSql(table, table.a, atA)} * ${ownRowIdsSql(table, table.b, atB)}`,
      columns: commonColumns(table, [a], [b]),
    })),
  );
}

/**
 * SQL of the rows of a table with a key that both runs loaded with different values: the id, and the key and the values
 * that differ as objects of texts. Only rows that changed between the two loads can differ.
 * @param only trusted SQL of an array of ids; without it, all rows
 */
export function changedRowsSql(table: ComparedTable, only?: string): string | null {
  const pairs = findPairs(table).filter(({ a, b, columns }) => a !== b && columns.length > 0);
  return pairs.length === 0 ? null : pairs.map((pair) => `(${pairSql(table, pair, only)})`).join('\nUNION ALL\n');
}

function pairSql(table: ComparedTable, { a, b, ids, columns }: PartPair, only: string | undefined): string {
  const { changes, table: rows } = table;
  const [first, last] = a < b ? [a, b] : [b, a];
  const [valueOfA, valueOfB] = a < b ? ['f.first', 'f.last'] : ['f.last', 'f.first'];
  const [inA, inB] = ['v.a', 'v.b'];
  const differing = (side: string) => (column: ComparedColumn) =>
    `CASE WHEN ${valueDiffersSql(inA, inB, column)} THEN ${valueTextSql(side, column)} END`;
  return `
    WITH pair AS MATERIALIZED (SELECT ${ids} AS ids),
    recorded AS MATERIALIZED (
      SELECT c.row_id, c.generation, c.before, coalesce(c.after, c.before) AS after
      FROM ${changesBetweenSql(table, first, last, only)} WHERE (SELECT ids FROM pair) @> c.row_id),
    edges AS (SELECT row_id, min(generation) AS first, max(generation) AS last FROM recorded GROUP BY row_id),
    found AS (
      SELECT e.row_id, c.before AS first, d.after AS last FROM edges e
      JOIN recorded c ON c.row_id = e.row_id AND c.generation = e.first
      JOIN recorded d ON d.row_id = e.row_id AND d.generation = e.last),
    late AS MATERIALIZED (
      SELECT row_id, generation, after FROM ${changes}
      WHERE generation IN (${a}, ${b}) AND kind = 'late'${only === undefined ? '' : ` AND row_id = ANY(${only})`}
        AND (SELECT ids FROM pair) @> row_id),
    candidates AS (SELECT row_id FROM found UNION SELECT row_id FROM late)
    SELECT v._id, v.key, ${rowTextsSql(columns, differing(inA))} AS a, ${rowTextsSql(columns, differing(inB))} AS b
    FROM (
      SELECT t._id, ${rowTextsSql(table.key, liveTextSql)} AS key,
        coalesce(la.after, ${valueOfA}, unchanged.row) AS a, coalesce(lb.after, ${valueOfB}, unchanged.row) AS b
      FROM candidates c JOIN ${rows} t ON t._id = c.row_id
      LEFT JOIN found f ON f.row_id = c.row_id
      LEFT JOIN late la ON la.row_id = c.row_id AND la.generation = ${a}
      LEFT JOIN late lb ON lb.row_id = c.row_id AND lb.generation = ${b}
      LEFT JOIN LATERAL (SELECT ${rowAfterSql(table, last)} AS row) unchanged ON f.row_id IS NULL
      OFFSET 0) v
    WHERE ${columns.map((column) => valueDiffersSql(inA, inB, column)).join(' OR ')}`;
}

/**
 * FROM item `c`: changes after one generation and up to another. For some rows, each generation is looked up by the index,
 * so that the changes of all other rows are not read.
 */
function changesBetweenSql(
  { dataset, changes }: ComparedTable,
  first: bigint,
  last: bigint,
  only: string | undefined,
): string {
  if (only === undefined) {
    return `(SELECT * FROM ${changes} WHERE generation > ${first} AND generation <= ${last} AND kind IN ('changed', 'gone')) c`;
  }
  return `datasets.generation g CROSS JOIN LATERAL (
      SELECT * FROM ${changes}
      WHERE generation = g.number AND kind IN ('changed', 'gone') AND row_id = ANY(${only}) AND g.dataset_id = '${dataset}'
        AND g.number > ${first} AND g.number <= ${last} AND g.changed + g.gone > 0) c`;
}
