import { type ColumnType, MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS } from '@millrace/contracts/datasets/datasets';
import { isStorable, isTooDeep } from '../ingest/parsing/parse-json.js';
import { classifyValue, unionTypes } from '../ingest/types/classify-value.js';

/** Rows of a table that are shown as a sample. */
const MAX_SAMPLE_ROWS = 5;

export interface JsonLinesSample {
  columns: { name: string; type?: ColumnType }[];
  sample: object[];
}

/**
 * Detects a table of JSON lines from the beginning of a file.
 * @param isWhole whether the text is the whole file; otherwise its last line is incomplete and ignored
 * @returns null if a line is not a JSON object, or if there are no rows
 */
export function detectJsonLines(text: string, isWhole: boolean): JsonLinesSample | null {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (!isWhole) lines.pop();
  const rows: object[] = [];
  for (const line of lines.filter((line) => line.trim() !== '')) {
    const row = parseRow(line);
    if (!row) return null;
    rows.push(row);
  }
  const types = findTypes(rows);
  if (rows.length === 0 || types.size === 0 || types.size > MAX_COLUMNS) return null;
  const columns = [...types].map(([name, type]) => ({ name, ...(type && { type }) }));
  return { columns, sample: rows.slice(0, MAX_SAMPLE_ROWS) };
}

function parseRow(line: string): object | null {
  // Rejects most lines of most files. A parse error would cost a hundred times as much.
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const isUsable = !isTooDeep(value) && isStorable(value) && Object.keys(value).every(isColumnName);
    return isUsable ? value : null;
  } catch {
    return null;
  }
}

const isColumnName = (name: string): boolean => name.length >= 1 && name.length <= MAX_COLUMN_NAME_LENGTH;

/** Types of the columns in the order of their first rows; null if no row has a value. */
function findTypes(rows: readonly object[]): Map<string, ColumnType | null> {
  const types = new Map<string, ColumnType | null>();
  for (const [name, value] of rows.flatMap((row) => Object.entries(row) as [string, unknown][])) {
    const known = types.get(name) ?? null;
    const type = value === null ? null : classifyValue(value);
    types.set(name, known && type ? unionTypes(known, type) : (known ?? type));
  }
  return types;
}
