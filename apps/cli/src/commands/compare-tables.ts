import type { MillraceClient, RowComparison, TableComparison } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { formatTable } from '../format-table.js';

interface Runs {
  id: string;
  otherId: string;
}

/** All tables that one of the runs loaded. */
export async function listTables(client: MillraceClient, params: Runs): Promise<TableComparison[]> {
  return client.runTables.compare(params.id, params.otherId).toArray();
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
