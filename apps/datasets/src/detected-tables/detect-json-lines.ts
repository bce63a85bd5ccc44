import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS } from '@millrace/contracts/datasets/datasets';
import { isStorable, isTooDeep } from '../ingest/parsing/parse-json.js';
import { classifyValue } from '../ingest/types/classify-value.js';
import { unionTypes } from '../ingest/types/union-types.js';

/** Rows that are shown of a table. */
const MAX_SAMPLED = 5;

export interface JsonLinesSample {
  columns: { name: string; type?: ColumnType }[];
  sample: object[];
}

/**
 * Takes the beginning of a file for a table of JSON lines.
 * @param isWhole whether it is the whole file; else its last line is not
 * @returns null where a line is no JSON object, or there is none
 */
export function detectJsonLines(text: string, isWhole: boolean): JsonLinesSample | null {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (!isWhole) lines.pop();
  const rows: object[] = [];
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const row = readObject(line);
    if (!row) return null;
    rows.push(row);
  }
  const types = typesOf(rows);
  if (rows.length === 0 || types.size === 0 || types.size > MAX_COLUMNS) return null;
  const columns = [...types].map(([name, type]) => ({ name, ...(type && { type }) }));
  return { columns, sample: rows.slice(0, MAX_SAMPLED) };
}

function readObject(line: string): object | null {
  // Most lines of most files: to find that out by an error costs a hundred times as much.
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const isKept = !isTooDeep(value) && isStorable(value) && Object.keys(value).every(isName);
    return isKept ? value : null;
  } catch {
    return null;
  }
}

const isName = (name: string): boolean => name.length >= 1 && name.length <= MAX_COLUMN_NAME_LENGTH;

/** By column, in the order in which they come; none where no row has a value. */
function typesOf(rows: readonly object[]): Map<string, ColumnType | null> {
  const types = new Map<string, ColumnType | null>();
  for (const [name, value] of rows.flatMap((row) => Object.entries(row) as [string, unknown][])) {
    const known = types.get(name) ?? null;
    const type = value === null ? null : classifyValue(value);
    types.set(name, known && type ? unionTypes(known, type) : (known ?? type));
  }
  return types;
}
