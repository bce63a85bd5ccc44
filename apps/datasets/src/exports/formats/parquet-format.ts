import type { Binder } from '@millrace/query/compile/binder';
import { columnSql, valueSql } from '@millrace/query/compile/field-sql';
import type { Field } from '@millrace/query/fields/field';
import type { ExportedColumn } from '../writing/export-task.js';
import type { Format } from './format.js';
import { ParquetFile } from './parquet-file.js';
import { TupleReader } from './tuple-reader.js';

export const PARQUET_FORMAT: Format = {
  selectList: (fields, binder) => fields.map((field) => tupleSql(field, binder)).join(', '),
  copyOptions: '(FORMAT binary)',
  write: writeParquet,
};

/** A value in a type whose binary form `TupleReader` reads. */
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

async function* writeParquet(
  columns: readonly ExportedColumn[],
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const file = new ParquetFile(columns);
  const types = columns.map(({ type }) => type);
  const reader = new TupleReader(types, (values, bytes) => file.add(values, bytes));
  for await (const piece of pieces) {
    reader.push(piece);
    const written = file.take();
    if (written.length > 0) yield written;
  }
  reader.end();
  yield file.end();
}
