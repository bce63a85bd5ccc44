import { parseCsv } from './parse-csv.js';

/** Rows of a preview; every row has a value for every column. */
export interface Grid {
  columns: string[];
  rows: string[][];
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 50;

/**
 * @param text the first part of the file
 * @param isComplete whether it is the whole file; otherwise its last line may be cut and is left out
 */
export function csvToGrid(text: string, isComplete: boolean): Grid {
  const parsed = parseCsv(text, MAX_ROWS + 2);
  const rows = isComplete || parsed.length > MAX_ROWS + 1 ? parsed : parsed.slice(0, -1);
  const [columns = [], ...rest] = rows;
  return toGrid(columns.slice(0, MAX_COLUMNS), rest.slice(0, MAX_ROWS));
}

/** Lines that are not JSON objects are in a column of their own, so that nothing is hidden. */
export function jsonLinesToGrid(text: string, isComplete: boolean): Grid {
  const lines = text.split('\n');
  const complete = isComplete ? lines : lines.slice(0, -1);
  const records = complete
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_ROWS)
    .map(readObject);
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, MAX_COLUMNS);
  return toGrid(
    columns,
    records.map((record) => columns.map((column) => toText(record[column]))),
  );
}

const toGrid = (columns: string[], rows: string[][]): Grid => ({
  columns,
  rows: rows.map((row) => columns.map((_, place) => row[place] ?? '')),
});

function readObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return { value };
  } catch {
    return { value: line };
  }
}

const toText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
