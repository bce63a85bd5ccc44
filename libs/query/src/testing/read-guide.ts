import { type Column, type ColumnType } from '../fields/column.js';

/** The value of `now` in the examples of the guide. */
export const NOW = new Date('2026-06-15T12:00:00Z');

export type Row = ReadonlyMap<string, unknown>;

interface Example {
  query: string;
  /** By `_row`. */
  rows: number[];
  error?: number;
}

/** A request for groups and metrics, and its rows or the position of its error. */
interface AggregateExample {
  request: string;
  parameters: ReadonlyMap<string, string>;
  rows: unknown;
  error?: number;
}

interface Guide {
  columns: Column[];
  rows: Row[];
  examples: Example[];
  /** Their `query` is an order. */
  orders: Example[];
  aggregates: AggregateExample[];
}

/** Reads the table and the examples of docs/reference/query-language.md. */
export function readGuide(page: string): Guide {
  const types = page.slice(page.indexOf('| column '), page.indexOf('```json-lines'));
  const columns = [...types.matchAll(/^\| `(.+?)` +\| (\w+)/gm)].map(([, name = '', type], at) => ({
    name,
    type: type as ColumnType,
    sql: `c${at}`,
  }));
  const rows = linesOf(page, 'json-lines').map((line) => new Map(Object.entries(JSON.parse(line) as object)));
  return {
    columns,
    rows,
    examples: linesOf(page, 'examples').map(readExample),
    orders: linesOf(page, 'orders').map(readExample),
    aggregates: linesOf(page, 'aggregates').map(readAggregate),
  };
}

const linesOf = (page: string, block: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${block}\\n([^]*?)^\`\`\``, 'gm'))].flatMap(([, text = '']) =>
    text.split('\n').filter((line) => line !== ''),
  );

function readExample(line: string): Example {
  const { left, right, error } = splitExample(line);
  if (error !== undefined) return { query: left, rows: [], error };
  return { query: left, rows: right === '' ? [] : right.split(' ').map(Number) };
}

function readAggregate(line: string): AggregateExample {
  const { left, right, error } = splitExample(line);
  const pairs = left.split('&').map((pair) => /^(\w*)=?(.*)$/.exec(pair)!.slice(1) as [string, string]);
  const example = { request: left, parameters: new Map(pairs) };
  return error === undefined ? { ...example, rows: JSON.parse(right) } : { ...example, rows: [], error };
}

function splitExample(line: string): { left: string; right: string; error?: number } {
  const [left = '', right = ''] = line.split('→').map((part) => part.trim());
  const error = /^error at (\d+)$/.exec(right)?.[1];
  return { left, right, ...(error === undefined ? {} : { error: Number(error) }) };
}
