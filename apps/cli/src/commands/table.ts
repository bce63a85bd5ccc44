import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Option, type Command } from 'commander';
import type { ByteStream, Dataset, ExportRequest, Load, MillraceClient, RowsPage } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { chooseRowFormat, type RowFormat } from '../files/row-format.js';
import { isStdout, writeOutput } from '../files/write-output.js';
import { formatBytes } from '../format-bytes.js';
import { formatCount } from '../format-count.js';
import { formatCsvLine } from '../format-csv.js';
import { pickDefined } from '../pick-defined.js';
import { polls } from '../polls.js';
import { type Fields, formatRecords, formatTime, print, printDone, printList, printRecord } from '../print-records.js';
import { findSpace, findTable } from '../resolve-names.js';
import { TransferProgress } from '../transfer-progress.js';
import { CommandGroup } from './command-group.js';
import { addFilling } from './fill-table.js';
import { parseCount, parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'datasets.list',
  'datasets.get',
  'rows.query',
  'rows.append',
  'loads.get',
  'rows.changes',
  'loads.rejected',
  'exports.create',
  'exports.get',
  'exports.download',
  'exports.delete',
];

const COLUMNS: Fields<Dataset> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  ROWS: (table) => table.row_count,
  REJECTED: (table) => table.rejected_count || '',
  LOADED: (table) => formatTime(table.loaded_date),
};
const FIELDS: Fields<Dataset> = {
  ...COLUMNS,
  DESCRIPTION: ({ description }) => description,
  'PRIMARY KEY': (table) => table.primary_key,
  COLUMNS: ({ columns }) => columns?.filter(({ system }) => !system).map(({ name, type }) => `${name} ${type}`),
  SOLUTION: ({ solution }) => solution,
};

const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];
interface Options {
  json?: boolean;
  jsonl?: boolean;
  csv?: boolean;
  space?: string;
  search?: string;
  select?: string;
  order?: string;
  limit?: number;
  all?: boolean;
  format?: RowFormat['format'];
  run?: string;
  kind?: 'new' | 'changed' | 'gone';
  number?: number;
}

const TABLE = ['<table>', 'id or name of the Live Table'] as const;
const QUERY = ['[query]', 'rows to select, such as "port = 443 and seen > -7d" (default: all)'] as const;

/** Commands about Live Tables. */
export function addTable(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'table', 'create, fill, query and export Live Tables');
  addReading(group);
  addFilling(group);
  addQuery(group);
  addImport(group);
  addExport(group);
  addChanges(group);
}

function addReading(group: CommandGroup): void {
  group
    .add('list', 'list Live Tables', ['table list', 'table list --space Research'])
    .option('--space <space>', 'only those of this space')
    .option('--search <text>', 'only those whose name or description contains this text')
    .action(async ({ json, space, search }: Options) => {
      const client = await group.connect();
      const place = space === undefined ? undefined : await findSpace(client, space);
      const tables = client.datasets.list(pickDefined({ search, space: place }));
      await printList(tables, COLUMNS, { json, empty: 'No Live Tables.' });
    });
  group
    .add('get', 'show a Live Table with its columns', ['table get hosts'])
    .argument(...TABLE)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.datasets.get(await findTable(client, name)), FIELDS, { json });
    });
}

function addQuery(group: CommandGroup): void {
  group
    .add('query', 'print rows of a Live Table', [
      'table query hosts',
      `table query hosts 'port = 443' --select ip,port --order -port --limit 10`,
      'table query hosts --all --jsonl > hosts.jsonl',
    ])
    .argument(...TABLE)
    .argument(...QUERY)
    .option('--select <columns>', 'columns to print, separated by commas')
    .option('--order <columns>', 'columns to sort by; a leading "-" sorts in descending order')
    .option('-n, --limit <n>', 'number of rows', parseCount, 100)
    .option('--all', 'all rows')
    .option('--jsonl', 'print JSON, one row per line')
    .option('--csv', 'print CSV')
    .action(async (name: string, q: string | undefined, options: Options) => {
      const client = await group.connect();
      const { select, order, limit = 100, all } = options;
      const rows = { count: 'none' as const, page_size: all ? 1000 : Math.min(limit, 1000) };
      const list = client.rows.query(await findTable(client, name), pickDefined({ q, select, order, ...rows }));
      await printRows(take(list.pages(), all ? Infinity : limit), options);
    });
}

type Page = Pick<RowsPage, 'results' | 'columns' | 'cursor'>;
type Row = Record<string, unknown>;

/** Cuts pages after a number of rows. */
async function* take(pages: AsyncIterable<RowsPage>, limit: number): AsyncGenerator<Page> {
  let left = limit;
  for await (const page of pages) {
    const results = page.results.slice(0, left);
    left -= results.length;
    yield { ...page, results };
    if (left > 0) continue;
    if (page.cursor !== null || results.length < page.results.length)
      process.stderr.write(`Only the first ${formatCount(limit, 'row')} shown. For more: --limit <n> or --all\n`);
    return;
  }
}

async function printRows(pages: AsyncIterable<Page>, { json, jsonl, csv }: Options): Promise<void> {
  if (json || jsonl) return printList(eachRow(pages), {}, { json, jsonl, empty: '' });
  let isFirst = true;
  for await (const { results, columns } of pages) {
    const names = columns.map(({ name }) => name);
    if (csv) {
      const lines = (results as Row[]).map((row) => formatCsvLine(names.map((name) => row[name])));
      await print(`${isFirst ? formatCsvLine(names) : ''}${lines.join('')}`);
    } else if (results.length > 0 || isFirst) {
      const fields = Object.fromEntries(names.map((name) => [name, (row: Row) => toQueryValue(row[name])]));
      await print(results.length === 0 ? 'No rows.\n' : formatRecords(results as Row[], fields));
    }
    isFirst = false;
  }
}

/** Writes a boolean as a query does: `true`, not `yes`. */
const toQueryValue = (value: unknown): unknown => (typeof value === 'boolean' ? String(value) : value);

async function* eachRow(pages: AsyncIterable<Page>): AsyncGenerator<unknown> {
  for await (const { results } of pages) yield* results;
}

function addImport(group: CommandGroup): void {
  group
    .add('import', 'load rows of a file into a Live Table', [
      'table import hosts hosts.csv',
      'table import hosts results.jsonl.gz',
      'table import hosts - --format ndjson < results',
    ])
    .argument(...TABLE)
    .argument('<file>', 'CSV, JSON lines or JSON, plain or compressed (.gz, .zst); "-" for standard input')
    .addOption(
      new Option('--format <format>', 'format of the rows (default: the extension of the file)').choices([
        'csv',
        'ndjson',
        'json',
      ]),
    )
    .action(async (name: string, path: string, { json, format }: Options) => {
      const rows = chooseRowFormat(path, format);
      const size = path === '-' ? null : (await requireFile(path)).size;
      const client = await group.connect();
      const id = await findTable(client, name);
      const progress = new TransferProgress();
      const show = progress.of(path);
      const source =
        path === '-' ? openStream(process.stdin) : () => counted(path, (loaded) => show({ loaded, total: size }));
      const started = await client.rows.append(id, source, rows).finally(() => progress.end());
      const load = await waitForLoad(client, id, started);
      await printDone(describeLoad(load), load, { json });
    });
  group
    .add('rejected', 'list rows that could not be read, with their line and the reason', ['table rejected hosts'])
    .argument(...TABLE)
    .option('-n, --number <n>', 'number of rows', parseCount, 50)
    .action(async (name: string, { json, number }: Options) => {
      const client = await group.connect();
      const found = await client.loads.rejected(await findTable(client, name)).toArray(number);
      const keys = [...new Set(found.flatMap((row) => Object.keys(row)))];
      const fields = Object.fromEntries(
        keys.map((key) => [key.toUpperCase(), (row: object) => (row as Row)[key]] as const),
      );
      await printList(found, fields, { json, empty: 'No rows were rejected.' });
    });
}

async function requireFile(path: string) {
  const stats = await stat(path).catch(() => null);
  if (!stats) throw new CliError(`The file ${path} does not exist.`);
  if (!stats.isFile()) throw new CliError(`${path} is not a file.`);
  return stats;
}

const openStream = (stream: Readable): ByteStream => Readable.toWeb(stream) as ByteStream;

function counted(path: string, report: (loaded: number) => void): ByteStream {
  let loaded = 0;
  const stream = createReadStream(path);
  stream.on('data', (chunk) => report((loaded += chunk.length)));
  return openStream(stream);
}

/** Waits until a load has ended. @throws CliError if it failed */
async function waitForLoad(client: MillraceClient, table: string, started: Load): Promise<Load> {
  let load = started;
  for await (const _ of polls()) {
    if (load.status === 'FAILED') throw new CliError(`The rows were not loaded: ${load.error ?? 'unknown reason'}`);
    if (load.status === 'COMPLETED') break;
    load = await client.loads.get(table, load.id);
  }
  return load;
}

function describeLoad(load: Load): string {
  const counts = `${load.rows_new} new, ${load.rows_changed} changed, ${load.rows_unchanged} unchanged`;
  const rejected = load.rows_rejected > 0 ? `, ${load.rows_rejected} rejected (see: millrace table rejected)` : '';
  return `Read ${formatCount(load.rows_read, 'row')}: ${counts}${rejected}.`;
}

function addExport(group: CommandGroup): void {
  group
    .add('export', 'write rows of a Live Table to a file', [
      'table export hosts --output hosts.parquet',
      `table export hosts 'port = 443' --select ip --format csv --output hosts.csv`,
    ])
    .argument(...TABLE)
    .argument(...QUERY)
    .requiredOption('-o, --output <file>', 'file to write; "-" for standard output')
    .option('--select <columns>', 'columns to export, separated by commas')
    .option('--order <columns>', 'columns to sort by; a leading "-" sorts in descending order')
    .addOption(
      new Option('--format <format>', 'format of the file (default: its extension; csv without one)').choices(
        EXPORT_FORMATS,
      ),
    )
    .action(async (name: string, q: string | undefined, options: Options & { output: string }) => {
      const { output, select, order, json } = options;
      const client = await group.connect();
      const dataset = await findTable(client, name);
      const format = (options.format as ExportFormat | undefined) ?? chooseExportFormat(output);
      const created = await client.exports.create(pickDefined({ dataset, q, select, order, format }));
      const done = await waitForExport(client, created);
      const progress = new TransferProgress();
      try {
        const { body } = await client.exports.download(done.id, { onProgress: progress.of(output) });
        await writeOutput(output, body);
      } finally {
        progress.end();
      }
      if (isStdout(output)) return;
      const sentence = `Wrote ${formatCount(done.rows, 'row')} to ${output} (${formatBytes(done.size)}).`;
      await printDone(sentence, { ...done, file: output }, { json });
    });
}

function chooseExportFormat(path: string): ExportFormat {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === 'jsonl') return 'ndjson';
  const format = EXPORT_FORMATS.find((one) => one === extension);
  if (format !== undefined) return format;
  if (isStdout(path) || extension === undefined) return 'csv';
  throw new CliError(`".${extension}" is not the extension of a format. Use --format ${EXPORT_FORMATS.join(', ')}.`);
}

/** Waits until the server has written an export. Ctrl-C cancels it there, too. */
async function waitForExport(client: MillraceClient, created: ExportRequest): Promise<ExportRequest> {
  const cancel = () =>
    void client.exports.delete(created.id).then(
      () => process.exit(130),
      () => process.exit(130),
    );
  process.once('SIGINT', cancel);
  try {
    let request = created;
    for await (const _ of polls()) {
      if (request.status === 'FAILED') throw new CliError(`The export failed: ${request.error ?? 'unknown reason'}`);
      if (request.status === 'COMPLETED') break;
      request = await client.exports.get(created.id);
    }
    return request;
  } finally {
    process.off('SIGINT', cancel);
  }
}

interface Change {
  kind: 'new' | 'changed' | 'gone';
  row: number;
  before?: unknown;
  after?: unknown;
}
const CHANGE_COLUMNS: Fields<Change> = {
  CHANGE: ({ kind }) => kind,
  ROW: ({ row }) => row,
  BEFORE: ({ kind, before, after }) => (kind === 'changed' ? differing(before, after) : before),
  AFTER: ({ kind, before, after }) => (kind === 'changed' ? differing(after, before) : after),
};

function addChanges(group: CommandGroup): void {
  group
    .add('changes', 'list new, changed and gone rows of the latest load, or of a run', [
      'table changes hosts',
      'table changes hosts --run 42 --kind new --jsonl',
    ])
    .argument(...TABLE)
    .option('--run <n>', 'number of the run that loaded them', parseRunNumber)
    .addOption(new Option('--kind <kind>', 'only these').choices(['new', 'changed', 'gone']))
    .option('-n, --limit <n>', 'number of changes', parseCount, 100)
    .option('--all', 'all changes')
    .option('--jsonl', 'print JSON, one change per line')
    .action(async (name: string, { json, jsonl, run, kind, limit, all }: Options) => {
      const client = await group.connect();
      const list = client.rows.changes(await findTable(client, name), pickDefined({ run, kind }));
      const found: Iterable<Change> | AsyncIterable<Change> = all ? list : await list.toArray(limit);
      await printList(found, CHANGE_COLUMNS, { json, jsonl, empty: 'No changes.' });
    });
}

/** The fields of a record that are different in another one. */
function differing(record: unknown, other: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  const entries = Object.entries(record).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify((other as Row | null)?.[key]),
  );
  return Object.fromEntries(entries);
}
