import { type Column, type ColumnType } from '../column.js';

/** The moment of the guide's examples. */
export const NOW = new Date('2026-06-15T12:00:00Z');

export type Row = ReadonlyMap<string, unknown>;

interface Example {
  query: string;
  /** By `_row`. */
  rows: number[];
  error?: number;
}

/** The table and the examples of docs/query-language.md. */
export function readGuide(page: string): { columns: Column[]; rows: Row[]; examples: Example[] } {
  const types = page.slice(page.indexOf('| column '), page.indexOf('```json-lines'));
  const columns = [...types.matchAll(/^\| `(.+?)` +\| (\w+)/gm)].map(([, name = '', type], at) => ({
    name,
    type: type as ColumnType,
    sql: `c${at}`,
  }));
  const rows = linesOf(page, 'json-lines').map((line) => new Map(Object.entries(JSON.parse(line) as object)));
  return { columns, rows, examples: linesOf(page, 'examples').map(readExample) };
}

const linesOf = (page: string, block: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${block}\\n([^]*?)^\`\`\``, 'gm'))].flatMap(([, text = '']) =>
    text.split('\n').filter((line) => line !== ''),
  );

function readExample(line: string): Example {
  const [query = '', result = ''] = line.split('→').map((part) => part.trim());
  const error = /^error at (\d+)$/.exec(result)?.[1];
  if (error !== undefined) return { query, rows: [], error: Number(error) };
  return { query, rows: result === '' ? [] : result.split(' ').map(Number) };
}
