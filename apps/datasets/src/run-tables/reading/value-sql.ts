import { POSTGRES_TYPE, toTextSql } from '../../live/cast-sql.js';
import { columnName } from '../../live/names.js';
import type { ComparedColumn, ComparedTable } from './compared-table.js';

/**
 * SQL of a value's text in the current type of its column, so that a value is the same before and after the column has
 * become text or another type.
 * @param row trusted SQL of a row as jsonb, with physical names of columns
 */
export function valueTextSql(row: string, { number, type, formerType }: ComparedColumn): string {
  const name = columnName(number);
  const text = `(${row} ->> '${name}')`;
  if (type === 'json') return `(nullif(${row} -> '${name}', 'null')::text)`;
  if (type === 'text') {
    if (formerType !== 'double') return text;
    const number = toTextSql(`${text}::double precision`, 'double');
    return `(CASE jsonb_typeof(${row} -> '${name}') WHEN 'number' THEN ${number} ELSE ${text} END)`;
  }
  const postgresType = POSTGRES_TYPE[type];
  const isValid = `pg_input_is_valid(${text}, '${postgresType}')`;
  return `(CASE WHEN ${isValid} THEN ${toTextSql(`${text}::${postgresType}`, type)} ELSE ${text} END)`;
}

/** SQL condition: whether a value differs between two rows. Equal json needs no conversion, which takes most of the time. */
export function valueDiffersSql(a: string, b: string, column: ComparedColumn): string {
  const name = columnName(column.number);
  const [inA, inB] = [`nullif(${a} -> '${name}', 'null')`, `nullif(${b} -> '${name}', 'null')`];
  const differs = `${inA} IS DISTINCT FROM ${inB}`;
  if (column.type === 'json') return `(${differs})`;
  return `(${differs} AND ${valueTextSql(a, column)} IS DISTINCT FROM ${valueTextSql(b, column)})`;
}

/** SQL of an object with the text of each column, by the number of the column. */
export function rowTextsSql(columns: readonly ComparedColumn[], toSql: (column: ComparedColumn) => string): string {
  if (columns.length === 0) return "'{}'::jsonb";
  const items = columns.map((column) => `${toSql(column)} AS "${column.number}"`);
  return `(SELECT to_jsonb(x) FROM (SELECT ${items.join(', ')}) x)`;
}

/** SQL of the current text of a column of a row `t`. */
export function liveTextSql({ number, type }: ComparedColumn): string {
  const sql = `t.${columnName(number)}`;
  return type === 'json' ? `${sql}::text` : toTextSql(sql, type);
}

/** SQL of a row `t` as the history of changes records rows. */
function liveRowSql({ columns }: ComparedTable): string {
  const items = columns.map(({ number, type }) => {
    const sql = `t.${columnName(number)}`;
    return `${type === 'timestamp' ? toTextSql(sql, type) : sql} AS ${columnName(number)}`;
  });
  return items.length === 0 ? "'{}'::jsonb" : `(SELECT to_jsonb(x) FROM (SELECT ${items.join(', ')}) x)`;
}

/**
 * SQL of a row `t` as jsonb as it was after a generation: as the next change recorded it, or as it is. Only generations
 * that changed something are looked up, and only for rows that changed.
 */
export function rowAfterSql(table: ComparedTable, generation: bigint): string {
  const recorded = `SELECT c.before FROM datasets.generation g
    JOIN ${table.changes} c ON c.generation = g.number AND c.kind IN ('changed', 'gone') AND c.row_id = t._id
    WHERE g.dataset_id = '${table.dataset}' AND g.number > ${generation} AND g.changed + g.gone > 0
    ORDER BY g.number LIMIT 1`;
  return `(CASE WHEN GREATEST(t._c, t._g) > ${generation} THEN coalesce((${recorded}), ${liveRowSql(table)}) ELSE ${liveRowSql(table)} END)`;
}

/** SQL of a row `t` as the load of a generation had it, even if the table has kept the values of a later run. */
export const loadedRowSql = (table: ComparedTable, generation: bigint): string =>
  `coalesce((SELECT l.after FROM ${table.changes} l
     WHERE l.generation = ${generation} AND l.kind = 'late' AND l.row_id = t._id), ${rowAfterSql(table, generation)})`;
