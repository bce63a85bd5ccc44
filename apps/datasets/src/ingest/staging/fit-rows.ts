import { isRawJson, isStorable, isTooDeep, parseJson } from '../parsing/parse-json.js';
import { isRejection, reject, type ParsedRow, type RawRow, type Rejection } from '../parsing/raw-row.js';
import type { RowChunk } from '../parsing/read-rows.js';
import { toText, type RowColumn, type RowColumns } from './row-columns.js';
import { explainTooWide } from './row-width.js';

export interface FittedRow {
  row: RawRow;
  /** In the order of the row's values. */
  columns: RowColumn[];
}

/** Limit of a key in bytes. An index accepts 2,704, a third of a page of Postgres. */
const MAX_KEY_BYTES = 2_000;

/** Separates rows that can be stored from rejected rows, and widens the columns for them. */
export function fitRows(
  { rows, untyped }: RowChunk,
  columns: RowColumns,
): { fitted: FittedRow[]; rejections: Rejection[] } {
  const fitted: FittedRow[] = [];
  const rejections: Rejection[] = [];
  for (const row of rows) {
    const result = fitRow(row, untyped, columns);
    if (isRejection(result as ParsedRow)) rejections.push(result as Rejection);
    else fitted.push(result as FittedRow);
  }
  return { fitted, rejections };
}

function fitRow(row: ParsedRow, untyped: boolean, all: RowColumns): FittedRow | Rejection {
  if (isRejection(row)) return row;
  const columns = all.resolve(row.names);
  const problem =
    typeof columns === 'string'
      ? columns
      : (explainUnstorable(row, untyped) ??
        explainInvalidKey(row, columns, all) ??
        explainTooWide(row, columns, untyped));
  if (problem !== null || typeof columns === 'string') return reject(row.line, String(problem), row.text);
  const { values } = row;
  all.adopt(columns);
  for (let at = 0; at < values.length; at++) {
    const [value, column] = [values[at], columns[at]];
    if (!column) continue;
    column.isPresent = true;
    if (value !== null) all.widen(column, value, untyped);
  }
  return { row, columns };
}

function explainInvalidKey({ values }: RawRow, columns: RowColumn[], { keys }: RowColumns): string | null {
  if (keys.length === 0) return null;
  let bytes = 0;
  for (const key of keys) {
    const value = values[columns.indexOf(key)] ?? null;
    if (value === null) return `has no value in the key column ${JSON.stringify(key.name)}`;
    if (typeof value === 'object' && !isRawJson(value)) {
      return `has an array or object in the key column ${JSON.stringify(key.name)}`;
    }
    bytes += Buffer.byteLength(toText(value));
  }
  return bytes > MAX_KEY_BYTES ? `has a key of ${bytes} bytes, but at most ${MAX_KEY_BYTES} are allowed` : null;
}

/** A JSON escape of a character that Postgres cannot store. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Explains why a row cannot be stored in any columns; null if it can be stored. */
export function explainUnstorable({ text, values }: RawRow, untyped: boolean): string | null {
  if (!text.isWellFormed()) return 'is not valid UTF-8';
  if (text.includes('\0')) return 'contains a NUL character';
  if (!SUSPICIOUS_ESCAPE.test(text)) return null;
  return values.every((value) => isStorable(untyped ? parseCell(value) : value))
    ? null
    : 'contains a NUL character or half of a surrogate pair';
}

/** The value of a CSV cell if it is JSON; otherwise its text. */
function parseCell(value: unknown): unknown {
  try {
    const json = typeof value === 'string' && /^[[{]/.test(value) ? parseJson(value) : value;
    // JSON that is nested too deeply is stored as text.
    return isTooDeep(json) ? value : json;
  } catch {
    return value;
  }
}
