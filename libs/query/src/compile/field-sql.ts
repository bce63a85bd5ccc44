import { type ColumnType } from '../fields/column.js';
import { type Field, type Order } from '../fields/field.js';
import { type Binder } from './binder.js';

/** The type to which a bound text is cast. */
export const CASTS: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  bigint: 'bigint',
  double: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  inet: 'inet',
  uuid: 'uuid',
  json: 'jsonb',
};

const SIMPLE = /^\w+(?:\.\w+)?$/;

/** The SQL of a column as one operand. */
export const columnSql = ({ column: { sql } }: Field): string => (SIMPLE.test(sql) ? sql : `(${sql})`);

/** The value of a field in the type of its column. The value at a path is jsonb, or NULL if there is none. */
export function valueSql(field: Field, binder: Binder): string {
  if (field.path === undefined) return columnSql(field);
  return `(${columnSql(field)} #> ${binder.bindList(field.path)}::text[])`;
}

/** The value by which rows are ordered. json null counts as a missing value. Text is ordered by code point. */
export function orderSql(field: Field, binder: Binder): string {
  const sql = valueSql(field, binder);
  if (field.column.type === 'text') return `${sql} COLLATE "C"`;
  return field.column.type === 'json' ? `nullif(${sql}, 'null'::jsonb)` : sql;
}

/** An item of ORDER BY. In ascending order, NULLS LAST is the default of Postgres. */
export const nullsLastSql = ({ field, descending }: Order, binder: Binder): string =>
  `${orderSql(field, binder)}${descending ? ' DESC NULLS LAST' : ''}`;

/** The number in a field with exact decimals, or NULL if its value is not a number. */
export function numericSql(field: Field, binder: Binder): string {
  const { type } = field.column;
  // A cast of a double to numeric retains only 15 digits. Its text has all of them.
  if (type !== 'json') return type === 'double' ? `${columnSql(field)}::text::numeric` : `${columnSql(field)}::numeric`;
  return `CASE jsonb_typeof(${valueSql(field, binder)}) WHEN 'number' THEN ${textSql(field, binder)}::numeric END`;
}

/** A bound value that is compared with `orderSql`. */
export function boundSql(type: ColumnType, text: string, binder: Binder): string {
  const sql = `${binder.bind(text)}::${CASTS[type]}`;
  return type === 'text' ? `${sql} COLLATE "C"` : sql;
}

/**
 * The text form of a value, which `~`, LIKE and CSV files use. Strings are unmodified, other json values are JSON, and a date is in
 * RFC 3339 and UTC with milliseconds, or with microseconds if they are not 0.
 */
export function textSql(field: Field, binder: Binder): string {
  const sql = columnSql(field);
  switch (field.column.type) {
    case 'text':
      return sql;
    case 'json':
      return `(${sql} #>> ${field.path === undefined ? "'{}'" : `${binder.bindList(field.path)}::text[]`})`;
    case 'inet':
      return `abbrev(${sql})`;
    case 'timestamp':
      return `regexp_replace(to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z$', 'Z')`;
    default:
      return `${sql}::text`;
  }
}

/** The value of a field in a page, for `readField`: the text that is cheapest for Postgres and that it can read again. */
export const wireSql = (field: Field, binder: Binder): string => toWireSql(field.column.type, valueSql(field, binder));

/** The value by which a row is ordered, in the same form, for a cursor. */
export const orderWireSql = (field: Field, binder: Binder): string =>
  toWireSql(field.column.type, orderSql(field, binder));

/** Converts the SQL of a value to the form in a page. */
export function toWireSql(type: ColumnType, sql: string): string {
  switch (type) {
    case 'text':
      return sql;
    case 'inet':
      return `abbrev(${sql})`;
    case 'timestamp':
      return `(${sql} AT TIME ZONE 'UTC')::text || 'Z'`;
    default:
      return `${sql}::text`;
  }
}
