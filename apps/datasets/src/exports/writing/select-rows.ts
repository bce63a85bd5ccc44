import { Binder } from '@millrace/query/compile/binder';
import { conditionSql } from '@millrace/query/compile/compile-condition';
import { nullsLastSql } from '@millrace/query/compile/field-sql';
import type { SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field, Order } from '@millrace/query/fields/field';

/** Rows of a table that an export holds. */
export interface ExportedRows {
  /** Trusted SQL. */
  table: string;
  fields: Field[];
  condition: Condition | null;
  order: Order[];
}

/** What a statement selects for a format. */
export type SelectList = (fields: readonly Field[], binder: Binder) => string;

/** The statement for all rows: ordered as asked, ties and all else by the number of the row. */
export function selectRows({ table, fields, condition, order }: ExportedRows, list: SelectList): SqlText {
  const binder = new Binder();
  const selected = list(fields, binder);
  const where = condition === null ? '' : ` WHERE ${conditionSql(condition, binder)}`;
  const sorting = order.map((item) => nullsLastSql(item, binder));
  const key = `_id${order[0]?.descending === true ? ' DESC' : ''}`;
  return {
    text: `SELECT ${selected} FROM ${table}${where} ORDER BY ${[...sorting, key].join(', ')}`,
    values: binder.values,
  };
}
