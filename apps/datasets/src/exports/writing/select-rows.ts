import { Binder } from '@millrace/query/compile/binder';
import { conditionSql } from '@millrace/query/compile/compile-condition';
import { nullsLastSql } from '@millrace/query/compile/field-sql';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Column, SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field, Order } from '@millrace/query/fields/field';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { tableName } from '../../live/names.js';

/** The query of an export as its user wrote it. */
export interface RowSelection {
  q: string;
  select: string;
  order: string;
}

/**
 * Plans the rows and columns of an export. By default it has the table's own columns, so that its file can be loaded again.
 * System columns are included only if `select` names them, or all columns with `*`.
 * @param now the meaning of `now` in the query
 * @throws QueryError
 */
export function planRows(number: number, columns: readonly Column[], selection: RowSelection, now: Date): ExportedRows {
  const own = columns.filter(({ system }) => system !== true);
  const hasOwnColumns = selection.select.trim() === '' && own.length > 0;
  return {
    table: tableName(number),
    fields: hasOwnColumns ? parseSelect('', own) : parseSelect(selection.select, columns),
    condition: checkQuery(parseQuery(selection.q), columns, { now }),
    order: parseOrder(selection.order, columns),
  };
}

/** The rows and columns of an export. */
interface ExportedRows {
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
