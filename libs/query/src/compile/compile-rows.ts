import { type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { type Field, type Order } from '../fields/field.js';
import { Binder } from './binder.js';
import { conditionSql } from './compile-condition.js';
import { nullsLastSql, textSql } from './field-sql.js';

/** All matching rows in an order, for exports. */
export interface Rows {
  /** Trusted SQL. */
  table: string;
  /** Trusted SQL: as in a page. */
  key: string;
  fields: Field[];
  condition: Condition | null;
  order: Order[];
}

/** Compiles the statement for all rows, with the fields as `f0`, `f1`, … in their text form (see `textSql`). */
export function compileRows({ table, key, fields, condition, order }: Rows): SqlText {
  const binder = new Binder();
  const columns = fields.map((field, at) => `${textSql(field, binder)} AS f${at}`).join(', ');
  const where = condition === null ? '' : ` WHERE ${conditionSql(condition, binder)}`;
  const sorting = order.map((one) => nullsLastSql(one, binder));
  const last = `${key}${order[0]?.descending === true ? ' DESC' : ''}`;
  const text = `SELECT ${columns} FROM ${table}${where} ORDER BY ${[...sorting, last].join(', ')}`;
  return { text, values: binder.values };
}
