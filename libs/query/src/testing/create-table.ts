import { CASTS } from '../compile/field-sql.js';
import { type Column, type ColumnType } from '../fields/column.js';
import { type Row } from './read-guide.js';

/** A client, or a database of a test. */
interface Database {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

const typeSql = (type: ColumnType): string => (type === 'text' ? 'text COLLATE "C"' : CASTS[type]);

/** Creates a table `t` with the columns `c0`, `c1`, … and `_id` (from 1), like the tables of Live Tables. */
export async function createTable(database: Database, columns: Column[], rows: Row[]): Promise<void> {
  const list = columns.map(({ type }, at) => `c${at} ${typeSql(type)}`);
  await database.query(`CREATE TABLE t (${['_id bigint PRIMARY KEY', ...list].join(', ')})`);
  const names = columns.map((_, at) => `c${at}`).join(', ');
  const records = rows.map((row, id) => ({
    _id: id + 1,
    ...Object.fromEntries(columns.map(({ name, type }, at) => [`c${at}`, columnValue(type, row.get(name))])),
  }));
  await database.query(
    `INSERT INTO t (_id${names && `, ${names}`})
     SELECT _id${names && `, ${names}`} FROM jsonb_populate_recordset(NULL::t, $1::jsonb)`,
    [JSON.stringify(records)],
  );
}

/** Converts numbers to text, which retains digits beyond 2^53. */
const columnValue = (type: ColumnType, value: unknown): unknown =>
  type === 'bigint' && typeof value === 'number' ? String(value) : (value ?? null);
