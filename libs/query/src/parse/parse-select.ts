import { type ColumnIndex, indexColumns, type Column } from '../fields/column.js';
import { type Field, isSameField } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { parseList } from './parse-list.js';
import { readReference } from './read-reference.js';
import type { TokenReader } from './token-reader.js';

/**
 * Parses `select`: a comma-separated list of columns, paths into json such as `tls.issuer`, and `*` for all columns that are not
 * hidden. The default is `*`. Omits repeated fields.
 * @throws QueryError if a column is unknown
 */
export function parseSelect(text: string | undefined, columns: readonly Column[]): Field[] {
  const index = indexColumns(columns);
  const fields = parseList(text, 'select', (reader) => readItem(reader, index)).flat();
  return fields.length === 0 ? allOf(columns) : removeDuplicates(fields);
}

function readItem(reader: TokenReader, index: ColumnIndex): Field[] {
  const { kind, text, start } = reader.peek();
  if (kind === 'word' && text === '*') {
    reader.next();
    return allOf(index.all);
  }
  return [findField(readReference(reader), index, { part: 'select', position: start })];
}

const allOf = (columns: readonly Column[]): Field[] =>
  columns.filter(({ hidden }) => hidden !== true).map((column) => ({ name: column.name, column }));

/** There may be thousands of columns, so they are compared only by name. There are few paths. */
function removeDuplicates(fields: Field[]): Field[] {
  const names = new Set<string>();
  const paths: Field[] = [];
  return fields.filter((field) => {
    if (field.path !== undefined) return !paths.some((path) => isSameField(path, field)) && paths.push(field) > 0;
    return !names.has(field.name) && names.add(field.name).size > 0;
  });
}
