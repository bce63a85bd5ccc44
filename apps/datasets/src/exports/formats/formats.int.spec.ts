import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetMetadata, parquetRead } from 'hyparquet';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { EXPORT_FORMATS, type ExportFormat } from '@millrace/contracts/datasets/exports';
import { guardFormula } from '@millrace/service/text/quote-csv';
import { ownerCaller } from '@millrace/testkit/callers';
import { type FreshDatabase, freshDatabase } from '@millrace/testkit/fresh-database';
import { seedDataset } from '../../testing/seed-dataset.js';
import { fillTable } from '../testing/exporting.js';
import { randomTable, type RandomTable } from '../testing/random-tables.js';
import { writeRows } from '../testing/write-rows.js';
import type { RowSelection } from '../writing/select-rows.js';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database.drop());

/** Creates a table and exports it. */
async function exported(
  table: RandomTable,
  format: ExportFormat,
  options: Partial<RowSelection> = {},
): Promise<Buffer> {
  const { names, types, rows } = table;
  const columns = names.map((name, at): [string, ColumnType] => [name, types[at]!]);
  const { id, number } = await seedDataset(database, ownerCaller(), { columns });
  await fillTable(database, { number, types }, rows);
  const selection = { q: '', select: '', order: '', ...options };
  const { content, rows: count } = await writeRows(database.url, id, selection, format);
  if (options.q === undefined) expect(count).toBe(rows.length);
  return content;
}

/** The exact meaning of a value, for comparisons. */
function meant(type: ColumnType, text: string | null): unknown {
  if (text === null) return null;
  if (type === 'double') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'timestamp') return micros(text);
  return type === 'json' ? (JSON.parse(text) as unknown) : text;
}

/** Microseconds since 1970. */
function micros(text: string): bigint {
  const [, upToSecond = '', fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(text) ?? [];
  return BigInt(Date.parse(`${upToSecond}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

const readBack = (table: RandomTable, read: (row: number, column: number) => unknown) =>
  table.rows.map((row, at) => row.map((_, column) => read(at, column)));
const expected = ({ rows, types }: RandomTable) => rows.map((row) => row.map((value, at) => meant(types[at]!, value)));

function readCsv(content: Buffer): (string | null)[][] {
  return parse(content, {
    recordDelimiter: '\n',
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
}

/** Rows as lists, because a name may be `__proto__`. */
async function readParquet(content: Buffer): Promise<unknown[][]> {
  const file = new Uint8Array(content).buffer;
  const parsers = { timestampFromMicroseconds: (value: bigint) => value } as never;
  let records: unknown[][] = [];
  await parquetRead({ file, parsers, rowFormat: 'array', onComplete: (rows) => void (records = rows as unknown[][]) });
  return records;
}

const options = { numRuns: 25 };

it('no CSV cell begins with a formula prefix, wherever a spreadsheet splits it', async () => {
  const sign = fc.constantFrom(...'=+-@＝＋－＠');
  const part = fc.oneof(sign, fc.constantFrom(';', '\t', '\r', '\n', '"', "'", ',', 'a', ' ', '\\'));
  const text = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  const property = async (name: string, values: string[]) => {
    const table: RandomTable = { names: [name], types: ['text'], rows: values.map((value) => [value]) };
    const cells = readCsv(await exported(table, 'csv')).flat();
    expect(cells).toEqual([name, ...values].map(guardFormula));
    for (const cell of cells) expect(cell).not.toMatch(/(^|[;\t\r\n]"*)[=+\-@＝＋－＠]/);
  };
  await fc.assert(fc.asyncProperty(text, fc.array(text, { maxLength: 30 }), property), options);
  const inJson = async (values: string[]) => {
    const rows = values.map((value) => [JSON.stringify({ [value]: [value] })]);
    const [, ...cells] = readCsv(await exported({ names: ['j'], types: ['json'], rows }, 'csv')).flat();
    expect(cells.map((cell) => JSON.parse(String(cell)) as unknown)).toEqual(
      values.map((value) => ({ [value]: [value] })),
    );
    for (const cell of cells) expect(cell).not.toMatch(/;"*[=+\-@＝＋－＠]/);
  };
  await fc.assert(fc.asyncProperty(fc.array(text, { maxLength: 30 }), inJson), options);
  expect(['a;=1+1', '=1', 'a\t"-1', 'a-b', '1;2'].map(guardFormula)).toEqual([
    ...["a;'=1+1", "'=1", 'a\t"\'-1', 'a-b', '1;2'],
  ]);
});

describe('random rows of random columns can be read back', () => {
  it('from CSV', async () => {
    const property = async (table: RandomTable) => {
      const [header, ...records] = readCsv(await exported(table, 'csv'));
      expect(header).toEqual(table.names.map(guardFormula));
      const read = (row: number, at: number) => meant(table.types[at]!, records[row]![at]!);
      const guarded = table.rows.map((row) =>
        row.map((value, at) => (table.types[at] === 'text' && value !== null ? guardFormula(value) : value)),
      );
      expect(records.length).toBe(table.rows.length);
      expect(readBack(table, read)).toEqual(expected({ ...table, rows: guarded }));
    };
    await fc.assert(fc.asyncProperty(randomTable, property), options);
  });

  it.each(['json', 'ndjson'] as const)('from %s', async (format) => {
    const property = async (table: RandomTable) => {
      const file = (await exported(table, format)).toString();
      const lines = file.split('\n').slice(0, -1);
      const records = (
        format === 'json' ? JSON.parse(file) : lines.map((line) => JSON.parse(line) as unknown)
      ) as object[];
      expect(records.length).toBe(table.rows.length);
      const read = (row: number, at: number) => {
        const value = new Map(Object.entries(records[row]!)).get(table.names[at]!) as unknown;
        if (value === null) return null;
        if (table.types[at] === 'timestamp') return micros(value as string);
        return table.types[at] === 'bigint' ? digitsOf(lines, table, row, at) : value;
      };
      expect(readBack(table, read)).toEqual(expected(table));
    };
    await fc.assert(fc.asyncProperty(randomTable, property), options);
  });

  it('from Parquet', async () => {
    const property = async (table: RandomTable) => {
      const content = await exported(table, 'parquet');
      const records = await readParquet(content);
      expect(records.length).toBe(table.rows.length);
      const read = (row: number, at: number) => {
        const value = records[row]![at];
        return typeof value === 'bigint' && table.types[at] === 'bigint' ? String(value) : value;
      };
      expect(readBack(table, read)).toEqual(expected(table));
    };
    await fc.assert(fc.asyncProperty(randomTable, property), options);
  });
});

/** The source text of a number that JavaScript may not represent exactly. */
function digitsOf(lines: string[], { names, rows }: RandomTable, row: number, at: number): string | null {
  const all = lines.filter((line) => line.includes('{'));
  const digits = rows[row]![at]!;
  return all[row]!.includes(`${JSON.stringify(names[at])}:${digits}`) ? digits : null;
}

describe('a file', () => {
  const empty: RandomTable = { names: ['a', 'b'], types: ['text', 'json'], rows: [] };

  it('without rows is still valid in its format', async () => {
    expect((await exported(empty, 'csv')).toString()).toBe('a,b\n');
    expect((await exported(empty, 'ndjson')).toString()).toBe('');
    expect(JSON.parse((await exported(empty, 'json')).toString())).toEqual([]);
    const parquet = parquetMetadata(new Uint8Array(await exported(empty, 'parquet')).buffer);
    expect(parquet.schema.map(({ name }) => name)).toEqual(['root', 'a', 'b']);
    expect(parquet.num_rows).toBe(0n);
  });

  it('keeps the order of the columns in JSON, whatever their names are', async () => {
    const table: RandomTable = {
      names: ['2', '__proto__', '1'],
      types: ['text', 'bigint', 'boolean'],
      rows: [['x', '1', 'true']],
    };
    expect((await exported(table, 'ndjson')).toString()).toBe('{"2":"x","__proto__":1,"1":true}\n');
  });

  it('of a table with a hundred columns has all of them', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `column ${at}`);
    const table: RandomTable = { names, types: names.map(() => 'bigint'), rows: [names.map((_, at) => String(at))] };
    const [row] = JSON.parse((await exported(table, 'json')).toString()) as Record<string, number>[];
    expect(row).toEqual(Object.fromEntries(names.map((name, at) => [name, at])));
  });

  it.each(EXPORT_FORMATS)('as %s has the values at a JSON path', async (format) => {
    const rows = [['{"cn":"=1","n":-5}'], ['{"cn":{"x":1}}'], ['[]'], [null], ['{"cn":null}']];
    const content = await exported({ names: ['tls'], types: ['json'], rows }, format, { select: 'tls.cn, tls.n' });
    if (format === 'csv') {
      const nothing = [null, null];
      expect(readCsv(content).slice(1)).toEqual([["'=1", '-5'], ['{"x": 1}', null], nothing, nothing, nothing]);
    } else if (format === 'parquet') {
      const leaves = (await readParquet(content)).map(([leaf, number]) => [leaf, number]);
      expect(leaves).toEqual([
        ['=1', -5],
        [{ x: 1 }, null],
        [null, null],
        [null, null],
        [null, null],
      ]);
    } else {
      const lines = content
        .toString()
        .split('\n')
        .filter((line) => line.includes('{'));
      expect(lines.map((line) => JSON.parse(line.replace(/^\[?,?/, '')) as unknown)).toEqual([
        { 'tls.cn': '=1', 'tls.n': -5 },
        { 'tls.cn': { x: 1 }, 'tls.n': null },
        ...Array<unknown>(3).fill({ 'tls.cn': null, 'tls.n': null }),
      ]);
    }
  });

  it('has the requested order, with missing values last and ties in the order of insertion', async () => {
    const rows = [
      ['b', '1'],
      [null, '2'],
      ['a', '3'],
      ['b', '0'],
    ];
    const table: RandomTable = { names: ['host', 'n'], types: ['text', 'bigint'], rows };
    const column = async (order: string) =>
      readCsv(await exported(table, 'csv', { order }))
        .slice(1)
        .map((record) => record[1]);
    expect(await column('host')).toEqual(['3', '1', '0', '2']);
    expect(await column('-host,n')).toEqual(['0', '1', '3', '2']);
    expect(await column('-host')).toEqual(['0', '1', '3', '2']);
  });

  it('has the rows that match the condition, whose values are bound', async () => {
    const rows = [
      ["it's", '1'],
      ['$1', '2'],
      ['x', '3'],
    ];
    const table: RandomTable = { names: ['a', 'n'], types: ['text', 'bigint'], rows };
    const column = async (q: string) =>
      readCsv(await exported(table, 'csv', { q }))
        .slice(1)
        .map((record) => record[1]);
    expect(await column(`a = "it's" or a = "$1"`)).toEqual(['1', '2']);
    expect(await column('n in (1, 3) and not a like "x%"')).toEqual(['1']);
    expect(await column('a ~ "^.\\\\d" or n >= 3')).toEqual(['2', '3']);
  });
});
