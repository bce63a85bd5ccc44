import type { MillraceClient } from '@millrace/sdk/client';
import type { RowComparison, TableComparison } from '@millrace/sdk/records';
import { runTables } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';
import { formatTable } from '../format-table.js';

interface Runs {
  id: string;
  otherId: string;
}

/** The largest page of rows. */
const MAX_ROWS = 1000;

/** All tables that one of the runs loaded. */
export async function listTables(client: MillraceClient, params: Runs): Promise<TableComparison[]> {
  const tables: TableComparison[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = await client.call(runTables.compareTables, { params, query });
    tables.push(...page.results);
    ({ cursor } = page);
  }
  return tables;
}

/** Finds a table by its id or name among those that one of the runs loaded. @throws CliError */
export function findTable(tables: readonly TableComparison[], text: string): TableComparison {
  const found = tables.filter(({ dataset, name }) => dataset === text || name === text);
  const [only] = found;
  if (only && found.length === 1) return only;
  const lines = (found.length > 0 ? found : tables).map(({ dataset, name }) => `  ${dataset}  ${name}`);
  const problem =
    found.length > 0 ? `${found.length} tables are named "${text}". Use an id:` : `No run loaded the table "${text}".`;
  throw new CliError([problem, ...lines].join('\n'));
}

/** The differing rows of a table, page by page. */
export async function* eachRow(client: MillraceClient, runs: Runs, dataset: string): AsyncGenerator<RowComparison> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { page_size: MAX_ROWS, ...(cursor !== undefined && { cursor }) };
    const page = await client.call(runTables.compareTableRows, { params: { ...runs, dataset }, query });
    yield* page.results;
    ({ cursor } = page);
  }
}

export function formatTables(tables: readonly TableComparison[]): string {
  if (tables.length === 0) return 'Neither run loaded a Live Table.\n';
  const headings = ['TABLE', 'ROWS OF A', 'ROWS OF B', 'SAME', 'NEW', 'CHANGED', 'GONE'];
  const rows = tables.map(({ name, a, b, counts }) => [
    name,
    describeSide(a),
    describeSide(b),
    ...[counts?.same, counts?.new, counts?.changed, counts?.gone].map((count) => String(count ?? '?')),
  ]);
  const notes = tables.flatMap(({ name, message, columns }) => [
    ...(message === undefined ? [] : [`${name}: ${message}\n`]),
    ...describeColumns(name, 'A', columns.only_in_a),
    ...describeColumns(name, 'B', columns.only_in_b),
  ]);
  return [formatTable(headings, rows), ...notes].join('');
}

function describeSide({ load, rows, deleted, rejected }: TableComparison['a']): string {
  if (load === 'absent') return '-';
  const notes = [
    ...(load === 'complete' ? [] : [load]),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(deleted ? [`${deleted} deleted since`] : []),
  ];
  return `${rows ?? '?'}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

const describeColumns = (table: string, run: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${table}: only ${run} has the columns ${names.join(', ')}\n`];

/** One line: the key, and the values that differ. A row without a key has all its values. */
export function formatRow({ change, row, key, a, b }: RowComparison): string {
  const [inA, inB] = [toEntries(a), toEntries(b)];
  const identity = key === undefined ? `#${row}` : joinValues(toEntries(key));
  const values =
    change === 'changed'
      ? inA.map(([name, value], at) => `${name}: ${show(value)} → ${show(inB[at]?.[1])}`).join('  ')
      : key === undefined
        ? joinValues([...inA, ...inB])
        : '';
  return `${change.padEnd(7)}  ${[identity, values].filter(Boolean).join('  ')}\n`;
}

const toEntries = (values: unknown): [string, unknown][] => Object.entries((values ?? {}) as Record<string, unknown>);
const joinValues = (entries: readonly [string, unknown][]): string =>
  entries.map(([name, value]) => `${name}=${show(value)}`).join(' ');
const show = (value: unknown): string => JSON.stringify(value) ?? '';
