import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { Binder } from '@millrace/query/binder';
import { textSql } from '@millrace/query/field-sql';

/** The text that a value of a type is shown as; `sql` is trusted. */
export function textForm(sql: string, type: ColumnType): string {
  const binder = new Binder();
  const text = textSql({ name: '', column: { name: '', type, sql } }, binder);
  if (binder.values.length > 0) throw new Error('The text form of a column has no parameters');
  return text;
}
