import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { Binder } from '@millrace/query/compile/binder';
import { textSql } from '@millrace/query/compile/field-sql';

/** SQL of a value's text; `sql` is trusted. Zero is never `-0`, because the two are equal as numbers. */
export function toTextSql(sql: string, type: ColumnType): string {
  if (type === 'double') return `((${sql}) + 0)::text`;
  const binder = new Binder();
  const text = textSql({ name: '', column: { name: '', type, sql } }, binder);
  if (binder.values.length > 0) throw new Error('The text SQL of a column must not have parameters');
  return text;
}
