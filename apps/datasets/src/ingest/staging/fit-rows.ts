import { explainUnstorable } from '../parsing/explain-unstorable.js';
import { isRawJson } from '../parsing/raw-json.js';
import { isRejection, reject, type ParsedRow, type RawRow, type Rejection } from '../parsing/raw-row.js';
import type { RowChunk } from '../parsing/read-rows.js';
import { toText, type RowColumn, type RowColumns } from './row-columns.js';
import { explainTooWide } from './row-width.js';

export interface FittedRow {
  row: RawRow;
  /** By place in the row's values. */
  columns: RowColumn[];
}

/** Longest key, in bytes: an index takes 2,704 (Postgres: a third of a page). */
const MAX_KEY_BYTES = 2_000;

/** Sorts what was found into rows that fit into the columns, which are made as wide as they have to be, and others. */
export function fitRows(
  { rows, untyped }: RowChunk,
  columns: RowColumns,
): { fitted: FittedRow[]; rejected: Rejection[] } {
  const fitted: FittedRow[] = [];
  const rejected: Rejection[] = [];
  for (const item of rows) {
    const fit = fitRow(item, untyped, columns);
    if (isRejection(fit as ParsedRow)) rejected.push(fit as Rejection);
    else fitted.push(fit as FittedRow);
  }
  return { fitted, rejected };
}

function fitRow(item: ParsedRow, cells: boolean, all: RowColumns): FittedRow | Rejection {
  if (isRejection(item)) return item;
  const found = all.resolve(item.names);
  const problem =
    typeof found === 'string'
      ? found
      : (explainUnstorable(item, cells) ?? explainInvalidKey(item, found, all) ?? explainTooWide(item, found, cells));
  if (problem !== null || typeof found === 'string') return reject(item.line, String(problem), item.text);
  const { values } = item;
  all.adopt(found);
  for (let at = 0; at < values.length; at++) {
    const [value, column] = [values[at], found[at]];
    if (!column) continue;
    column.isPresent = true;
    if (value !== null) all.widen(column, value, cells);
  }
  return { row: item, columns: found };
}

function explainInvalidKey({ values }: RawRow, columns: RowColumn[], { keys }: RowColumns): string | null {
  if (keys.length === 0) return null;
  let bytes = 0;
  for (const key of keys) {
    const value = values[columns.indexOf(key)] ?? null;
    if (value === null) return `has no value in the key's column ${JSON.stringify(key.name)}`;
    if (typeof value === 'object' && !isRawJson(value)) {
      return `has an array or object in the key's column ${JSON.stringify(key.name)}`;
    }
    bytes += Buffer.byteLength(toText(value));
  }
  return bytes > MAX_KEY_BYTES ? `has a key of more than ${MAX_KEY_BYTES} bytes` : null;
}
