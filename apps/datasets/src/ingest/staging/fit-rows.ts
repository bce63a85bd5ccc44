import { isRawJson } from '../reading/raw-json.js';
import { isRejected, reject, type Item, type RawRow, type Rejected } from '../reading/raw-row.js';
import type { Found } from '../reading/read-rows.js';
import { whyUnfit } from '../reading/why-unfit.js';
import { textOf, type RowColumn, type RowColumns } from './row-columns.js';
import { whyWide } from './row-width.js';

export interface FittedRow {
  row: RawRow;
  /** By place in the row's values. */
  columns: RowColumn[];
}

/** Longest key, in bytes: an index takes 2,704 (Postgres: a third of a page). */
const MAX_KEY_BYTES = 2_000;

/** Sorts what was found into rows that fit into the columns, which are made as wide as they have to be, and others. */
export function fitRows({ items, cells }: Found, columns: RowColumns): { fitted: FittedRow[]; rejected: Rejected[] } {
  const fitted: FittedRow[] = [];
  const rejected: Rejected[] = [];
  for (const item of items) {
    const fit = fitRow(item, cells, columns);
    if (isRejected(fit as Item)) rejected.push(fit as Rejected);
    else fitted.push(fit as FittedRow);
  }
  return { fitted, rejected };
}

function fitRow(item: Item, cells: boolean, all: RowColumns): FittedRow | Rejected {
  if (isRejected(item)) return item;
  const found = all.find(item.names);
  const problem =
    typeof found === 'string'
      ? found
      : (whyUnfit(item, cells) ?? whyNoKey(item, found, all) ?? whyWide(item, found, cells));
  if (problem !== null || typeof found === 'string') return reject(item.line, String(problem), item.text);
  const { values } = item;
  all.keep(found);
  for (let at = 0; at < values.length; at++) {
    const [value, column] = [values[at], found[at]];
    if (!column) continue;
    column.brought = true;
    if (value !== null) all.widen(column, value, cells);
  }
  return { row: item, columns: found };
}

function whyNoKey({ values }: RawRow, columns: RowColumn[], { keys }: RowColumns): string | null {
  if (keys.length === 0) return null;
  let bytes = 0;
  for (const key of keys) {
    const value = values[columns.indexOf(key)] ?? null;
    if (value === null) return `has no value in the key's column ${JSON.stringify(key.name)}`;
    if (typeof value === 'object' && !isRawJson(value)) {
      return `has an array or object in the key's column ${JSON.stringify(key.name)}`;
    }
    bytes += Buffer.byteLength(textOf(value));
  }
  return bytes > MAX_KEY_BYTES ? `has a key of more than ${MAX_KEY_BYTES} bytes` : null;
}
