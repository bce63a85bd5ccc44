import type { Binder } from '@millrace/query/compile/binder';
import { columnSql, valueSql } from '@millrace/query/compile/field-sql';
import type { Field } from '@millrace/query/fields/field';
import type { SelectList } from '../writing/select-rows.js';
import { type Format, timestampSql } from './format.js';

/** JSON has no character below U+0020, so with these options COPY quotes nothing and each row is one line. */
const LINE_OPTIONS = `(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;

/** Precedes every row of an array, because Postgres does not know which row is the first one. */
const SEPARATOR = ',';

export const JSON_FORMAT: Format = {
  selectList: jsonList(SEPARATOR),
  copyOptions: LINE_OPTIONS,
  write: (_columns, rows) => writeArray(rows),
};

export const NDJSON_FORMAT: Format = {
  selectList: jsonList(),
  copyOptions: LINE_OPTIONS,
  write: (_columns, rows) => rows,
};

/** Makes one array of lines that each start with `SEPARATOR`. */
async function* writeArray(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('[\n');
  let isFirst = true;
  for await (const piece of lines) {
    yield isFirst ? piece.subarray(SEPARATOR.length) : piece;
    isFirst = false;
  }
  yield Buffer.from(']\n');
}

/**
 * One text for each row: an object with the fields in their order. Its text is concatenated here, because `jsonb` would
 * sort the names, and `json_build_object` takes 1.7 times as long, as does `concat`.
 * @param prefix text before each object
 */
function jsonList(prefix = ''): SelectList {
  return (fields, binder) => {
    const pieces = fields.flatMap((field, at) => {
      const name = `${at === 0 ? `${prefix}{` : ','}${JSON.stringify(field.name)}:`;
      return [`${binder.bind(name)}::text`, `coalesce(${jsonSql(field, binder)}, 'null')`];
    });
    return concatenate([...pieces, "'}'"]);
  };
}

/** Concatenates as a balanced tree. Otherwise the text of a column would be copied once for each column behind it. */
function concatenate(pieces: string[]): string {
  if (pieces.length === 1) return pieces[0]!;
  const half = Math.ceil(pieces.length / 2);
  return `(${concatenate(pieces.slice(0, half))} || ${concatenate(pieces.slice(half))})`;
}

/** JSON text of a value, without characters below U+0020. */
function jsonSql(field: Field, binder: Binder): string {
  if (field.path !== undefined) return `${valueSql(field, binder)}::text`;
  const sql = columnSql(field);
  switch (field.column.type) {
    case 'text':
    case 'double':
      return `to_json(${sql})::text`;
    case 'inet':
    case 'uuid':
      return `'"' || ${field.column.type === 'inet' ? `abbrev(${sql})` : sql} || '"'`;
    case 'timestamp':
      return `'"' || ${timestampSql(sql)} || '"'`;
    default:
      return `${sql}::text`;
  }
}
