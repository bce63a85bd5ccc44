import type { Dataset, View } from '@millrace/client';
import type { Command } from '../../../ui/commands-dialog.js';
import { joinQueries, writeColumn } from '../query/write-query.js';
import type { TableSearch } from '../table/table-search.js';

interface ShownTable {
  table: Pick<Dataset, 'id'>;
  view?: Pick<View, 'id' | 'solution' | 'q' | 'order' | 'select'> | undefined;
  search: TableSearch;
  origin: string;
}

/** The commands and the request for the shown part of a table or view. */
export function commandsOf({ table, view, search, origin }: ShownTable): Command[] {
  const { tab = 'rows', run, since, kind, by, per = '', metric = 'count', q = '' } = search;
  const path = `/datasets/${table.id}`;
  if (tab === 'changes' && run !== undefined && since !== undefined)
    return [
      line('Differences of all tables', `compare ${since} ${run} --tables`, {}),
      request('Request', `${origin}/api/runs/${since}/compare/${run}/tables/${table.id}/rows`, { change: kind }),
    ];
  if (tab === 'changes')
    return [
      line('Changes', `table changes ${table.id}`, { run, kind }),
      request('Request', `${origin}/api${path}/changes`, { run, kind }),
    ];
  if (tab === 'loads')
    return [line('Loads', `table loads ${table.id}`, {}), request('Request', `${origin}/api${path}/loads`, {})];
  if (tab === 'columns')
    return [line('Columns', `table get ${table.id}`, {}), request('Request', `${origin}/api${path}`, {})];
  if (tab === 'chart') {
    const group = by === undefined ? undefined : `${writeColumn(by)}${per === '' ? '' : `:${per}`}`;
    return [request('Request', `${origin}/api${path}/aggregate`, { group_by: group, metrics: metric, q })];
  }
  return rowCommands({ table, view, search, origin });
}

function rowCommands({ table, view, search, origin }: ShownTable): Command[] {
  const { q = '', order = '', columns = '' } = search;
  const all = joinQueries(view?.q ?? '', q);
  const target = `${table.id}${all === '' ? '' : ` ${quote(all)}`}`;
  const options = { select: columns || view?.select, order: order || view?.order };
  const path = view ? `/solutions/${view.solution}/views/${view.id}/rows` : `/datasets/${table.id}/rows`;
  return [
    line('Rows', `table query ${target}`, options),
    line('All rows as a file', `table export ${target}`, { ...options, output: 'rows.csv' }),
    request('Request', `${origin}/api${path}`, { q, order, select: columns }),
  ];
}

type Options = Record<string, string | undefined>;

const listOptions = (options: Options): [string, string][] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));

const line = (label: string, command: string, options: Options): Command => ({
  label,
  command: ['npx millrace', command, ...listOptions(options).map(([name, value]) => `--${name} ${quote(value)}`)].join(
    ' ',
  ),
});

const request = (label: string, url: string, options: Options): Command => ({
  label,
  command: [
    `curl -sG ${url}`,
    ...listOptions(options).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
    '-H "Authorization: Token $MILLRACE_TOKEN"',
  ].join(' '),
});

/** A text as one argument of a shell. */
const quote = (text: string): string => (/^[\w.,:/=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
