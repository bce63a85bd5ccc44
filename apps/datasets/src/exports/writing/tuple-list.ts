import type { Binder } from '@millrace/query/compile/binder';
import { columnSql, valueSql } from '@millrace/query/compile/field-sql';
import type { Field } from '@millrace/query/fields/field';
import type { SelectList } from './select-rows.js';

/** Values for `COPY … (FORMAT binary)`, of types whose binary form is plain: those of `readValue`. */
export const tupleList: SelectList = (fields, binder) => fields.map((field) => tupleSql(field, binder)).join(', ');

function tupleSql(field: Field, binder: Binder): string {
  switch (field.column.type) {
    case 'inet':
      return `abbrev(${columnSql(field)})`;
    case 'uuid':
    case 'json':
      return `${valueSql(field, binder)}::text`;
    default:
      return columnSql(field);
  }
}
