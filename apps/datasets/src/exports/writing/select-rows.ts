import { Binder } from '@millrace/query/compile/binder';
import { conditionSql } from '@millrace/query/compile/compile-condition';
import { nullsLastSql } from '@millrace/query/compile/field-sql';
import type { SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field, Order } from '@millrace/query/fields/field';

/** The rows and columns of an export. */
export interface ExportedRows {
  /** Trusted SQL. */
  table: string;
  fields: Field[];
  condition: Condition | null;
  order: Order[];
}

/** Compiles the fields of the rows to the select list of a statement. */
export type SelectList = (fields: readonly Field[], binder: Binder) => string;

/** The statement for all rows, in the requested order and then by row number. */
export function selectRows({ table, fields, condition, order }: ExportedRows, list: SelectList): SqlText {
  const binder = new Binder();
  const selectList = list(fields, binder);
  const where = condition === null ? '' : ` WHERE ${conditionSql(condition, binder)}`;
  const sorting = order.map((item) => nullsLastSql(item, binder));
  const key = `_id${order[0]?.descending === true ? ' DESC' : ''}`;
  return {
    text: `SELECT ${selectList} FROM ${table}${where} ORDER BY ${[...sorting, key].join(', ')}`,
    values: binder.values,
  };
}
