import { type ColumnType } from '../fields/column.js';
import { type Field, type Order } from '../fields/field.js';
import { type Binder } from './binder.js';

/** How a bound text becomes a value of a type. */
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

/** The column's SQL as one operand. */
export const columnSql = ({ column: { sql } }: Field): string => (SIMPLE.test(sql) ? sql : `(${sql})`);

/** The value itself, of the column's type; what lies at a path is jsonb, and NULL where nothing does. */
export function valueSql(field: Field, binder: Binder): string {
  if (field.path === undefined) return columnSql(field);
  return `(${columnSql(field)} #> ${binder.bindList(field.path)}::text[])`;
}

/** The value by which rows are ordered: json null is no value. Text is ordered by code point. */
export function orderSql(field: Field, binder: Binder): string {
  const sql = valueSql(field, binder);
  if (field.column.type === 'text') return `${sql} COLLATE "C"`;
  return field.column.type === 'json' ? `nullif(${sql}, 'null'::jsonb)` : sql;
}

/** An item of ORDER BY; without `NULLS LAST` that is what Postgres does upwards alone. */
export const nullsLastSql = ({ field, descending }: Order, binder: Binder): string =>
  `${orderSql(field, binder)}${descending ? ' DESC NULLS LAST' : ''}`;

/** The number of a field, exact in decimal; NULL where it is something else. */
export function numericSql(field: Field, binder: Binder): string {
  const { type } = field.column;
  // The cast of a double to numeric keeps 15 digits, its text all.
  if (type !== 'json') return type === 'double' ? `${columnSql(field)}::text::numeric` : `${columnSql(field)}::numeric`;
  return `CASE jsonb_typeof(${valueSql(field, binder)}) WHEN 'number' THEN ${textSql(field, binder)}::numeric END`;
}

/** A value bound beside `orderSql`. */
export function boundSql(type: ColumnType, text: string, binder: Binder): string {
  const sql = `${binder.bind(text)}::${CASTS[type]}`;
  return type === 'text' ? `${sql} COLLATE "C"` : sql;
}

/**
 * The text form of a value: what `~` and LIKE look at, and what stands in a CSV. Strings are as they are, other json is
 * JSON, a date is RFC 3339 in UTC with milliseconds, or microseconds where there are any.
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

/** What a page carries for `readField`: text in its cheapest form, which Postgres reads again as the same value. */
export const wireSql = (field: Field, binder: Binder): string => toWireSql(field.column.type, valueSql(field, binder));

/** The same of what a row is ordered by; a cursor takes it on. */
export const orderWireSql = (field: Field, binder: Binder): string =>
  toWireSql(field.column.type, orderSql(field, binder));

/** The wire form of SQL that gives a value of a type. */
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
