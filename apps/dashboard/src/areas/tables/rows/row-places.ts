import type { ColumnType } from '../grid/column-layout.js';
import { formatValue } from '../grid/format-cell.js';
import { addCondition, writeColumn } from '../query/write-query.js';
import type { ReadPoint } from './row-index.js';

/** How keys find the places of rows: the API counts the rows before a key, and reads from there. */
export interface RowPlaces {
  keyOf: (row: Record<string, unknown>) => number | undefined;
  /** A key that the API can compare with. */
  round: (key: number) => number;
  /** The last row that has a key, and where to read rows without one. */
  readEnd: (signal: AbortSignal) => Promise<{ key: number; rows?: number; rest?: ReadPoint } | undefined>;
  /** The number of rows before a key, exactly, and where to read from it. */
  countBefore: (key: number, signal: AbortSignal) => Promise<{ position: number; from: ReadPoint }>;
}

/** The column whose values order the rows. */
export interface SortColumn {
  name: string;
  type: ColumnType;
  isDescending: boolean;
}

/** Values of these types are numbers or have one, so that a place between two of them can be guessed. */
export const canFindPlaces = (type: ColumnType): boolean =>
  type === 'bigint' || type === 'double' || type === 'timestamp';

type Page = { results: Record<string, unknown>[]; count?: number };
type Read = (
  parameters: { q: string; select: string; page_size: number; order?: string; count?: 'exact' },
  signal: AbortSignal,
) => Promise<Page>;

/** Rows in the order of their numbers. */
export const placesByNumber = (q: string, read: Read): RowPlaces => ({
  keyOf: ({ _row: number }) => (number === undefined ? undefined : Number(number)),
  round: Math.round,
  readEnd: async (signal) => {
    const { results } = await read({ q, select: '_row', order: '-_row', page_size: 1 }, signal);
    return results[0] && { key: Number(results[0]['_row']) };
  },
  countBefore: async (number, signal) => {
    const before = addCondition(q, `_row < ${number}`);
    const { count = 0 } = await read({ q: before, select: '_row', page_size: 1, count: 'exact' }, signal);
    return { position: count, from: { q: addCondition(q, `_row >= ${number}`) } };
  },
});

/** Rows in the order of a column. Rows without a value are the last ones in both directions. */
export function placesByColumn(q: string, { name, type, isDescending }: SortColumn, read: Read): RowPlaces {
  const column = writeColumn(name);
  const write = (key: number) => (type === 'timestamp' ? `"${new Date(key).toISOString()}"` : String(key));
  const keyOf = (row: Record<string, unknown>) => readKey(row[name], type);
  return {
    keyOf,
    round: type === 'double' ? (key) => key : Math.round,
    readEnd: async (signal) => {
      const filled = addCondition(q, `${column} IS NOT NULL`);
      const order = isDescending ? column : `-${column}`;
      const { results, count } = await read({ q: filled, select: column, order, page_size: 1, count: 'exact' }, signal);
      const key = results[0] && keyOf(results[0]);
      if (key === undefined || count === undefined) return undefined;
      return { key, rows: count, rest: { q: addCondition(q, `${column} IS NULL`) } };
    },
    countBefore: async (key, signal) => {
      const [before, from] = isDescending ? ['>', '<='] : ['<', '>='];
      const condition = (sign: string) => addCondition(q, `${column} ${sign} ${write(key)}`);
      const { count = 0 } = await read({ q: condition(before), select: column, page_size: 1, count: 'exact' }, signal);
      return { position: count, from: { q: condition(from) } };
    },
  };
}

function readKey(value: unknown, type: ColumnType): number | undefined {
  if (value === null || value === undefined) return undefined;
  const key = type === 'timestamp' ? Date.parse(formatValue(value)) : Number(value);
  return Number.isFinite(key) ? key : undefined;
}
