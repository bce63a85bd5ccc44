import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UNITS } from '@millrace/storage/settings/byte-size';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedIngestTable } from '../testing/start-ingesting.js';

const owner = ownerCaller();
let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

const seed = (key: string[] = []) => seedIngestTable(system, owner, key);

/** A text of digits with an `n` is an integer, also one that is not exact in JavaScript. */
const lines = (values: unknown[]) => values.map((v) => JSON.stringify({ v }).replace(/"(-?\d+)n"/, '$1')).join('\n');
const csv = (cells: string[]) => ['v', ...cells].join('\n');

describe('a column', () => {
  it.each([
    ['bigint', ['1', '2'], [1, 2]],
    ['double', ['1', '2.5'], [1, 2.5]],
    ['text', ['1', '2.50', 'x'], ['1', '2.50', 'x']],
    ['text', ['9007199254740993', '0.5'], ['9007199254740993', '0.5']],
    ['text', ['true', '1'], ['true', '1']],
    ['boolean', ['true', 'false'], [true, false]],
    ['inet', ['10.0.0.1', '10.0.0.0/8'], ['10.0.0.1', '10.0.0.0/8']],
    ['text', ['10.0.0.1', 'a.com'], ['10.0.0.1', 'a.com']],
    ['text', ['2026-01-01T00:00:00Z', 'soon'], ['2026-01-01T00:00:00Z', 'soon']],
    ['json', ['[1]', '{"a":1.50}'], [[1], { a: 1.5 }]],
    ['text', ['[1]', 'x'], ['[1]', 'x']],
  ] as const)('of CSV cells is %s for %j', async (type, cells, values) => {
    const table = await seed();
    const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    expect(await table.append(csv(quoted), { format: 'csv' })).toMatchObject({ status: 'COMPLETED' });
    expect(await table.types()).toEqual({ v: type });
    expect((await table.rows()).map(({ v }) => v)).toEqual(values);
  });

  it.each([
    ['double', [1], [2.5], [1, 2.5]],
    ['text', ['9007199254740993n'], [1.5], ['9007199254740993', '1.5']],
    ['double', ['9007199254740991n'], [1.5], [9007199254740991, 1.5]],
    ['text', [1.5], ['x'], ['1.5', 'x']],
    ['text', ['10.0.0.1'], ['x'], ['10.0.0.1', 'x']],
    ['text', ['2026-01-01T00:00:00Z'], ['x'], ['2026-01-01T00:00:00.000Z', 'x']],
    ['json', [1], [[2]], [1, [2]]],
    ['json', ['10.0.0.1'], [{ a: 1 }], ['10.0.0.1', { a: 1 }]],
    ['json', [[1]], ['x'], [[1], 'x']],
    ['text', ['x'], [1], ['x', '1']],
    ['text', [null], [1], [null, '1']],
  ] as const)('becomes %s if %j is followed by %j', async (type, first, second, values) => {
    const table = await seed();
    await table.append(lines([...first]));
    await table.append(lines([...second]));
    expect(await table.types()).toEqual({ v: type });
    expect((await table.rows()).map(({ v }) => v)).toEqual(values);
  });

  it('is as wide as later rows of the same file need, and earlier values keep their notation', async () => {
    const table = await seed();
    const rows = Array.from({ length: 30_000 }, (_, n) => `{"v":${n}.50}`);
    await table.append([...rows, '{"v":"end"}'].join('\n'));
    expect((await table.rows()).map(({ v }) => v).slice(-2)).toEqual(['29999.50', 'end']);
  });

  it('of a key gets the type of the first rows, and is text for mixed integers and other numbers', async () => {
    const table = await seed(['v']);
    await table.query('UPDATE datasets.dataset_column SET declared = false WHERE dataset_id = $1', [table.table.id]);
    await table.append(lines([1, 2]));
    expect(await table.types()).toEqual({ v: 'bigint' });
    await table.append('{"v":1}\n{"v":1.0}\n{"v":2.5}');
    expect(await table.types()).toEqual({ v: 'text' });
    expect((await table.rows()).map(({ v }) => v)).toEqual(['1', '2', '1.0', '2.5']);
  });

  it('may have any name', async () => {
    const names = ['__proto__', '_id', 'constructor', 'select', 'A', 'a', 'ü'.repeat(500), '"; DROP TABLE x', '1'];
    const table = await seed();
    const row = `{${names.map((name, at) => `${JSON.stringify(name)}:${at}`).join(',')}}`;
    await table.append(row);
    const columns = await table.columns();
    expect(columns.map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});

describe('rows that cannot be stored', () => {
  it('are rejected, and the rows around them are not', async () => {
    const table = await seed();
    const wide = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`c${at}`, at]));
    const deep = `{"v":${'['.repeat(2000)}${']'.repeat(2000)}}`;
    const bad = [
      JSON.stringify(wide),
      deep,
      '{"v":"\\u0000"}',
      '{"v":["\\ud800"]}',
      `{"${'n'.repeat(1001)}":1}`,
      '{"":1}',
    ];
    const load = await table.append(['{"v":"a"}', ...bad, '{"v":"b"}'].join('\n'));
    expect(load).toMatchObject({ status: 'COMPLETED', rows_new: 2, rows_rejected: bad.length });
    const rejected = await table.query<{ line: string }>(
      'SELECT line FROM datasets.rejected_row WHERE dataset_id = $1 ORDER BY line',
      [table.table.id],
    );
    expect(rejected.map(({ line }) => Number(line))).toEqual(bad.map((_, at) => at + 2));
    expect(await table.rows()).toEqual([{ v: 'a' }, { v: 'b' }]);
  });

  /** For each kind, the value of the nth column of a row with this many characters. */
  const KINDS: [string, (at: number, length: number) => unknown][] = [
    ['text', (at, length) => String.fromCharCode(97 + (at % 26)).repeat(length)],
    [
      'varied text',
      (at, length) =>
        'abcdefghijklmnopqrstuvwxyz0123456789'
          .repeat(3)
          .slice(at % 36)
          .slice(0, length),
    ],
    ['text that is compressed to 24 bytes', (_, length) => `abcdefghijk${'k'.repeat(length)}`],
    ['such text between short one', (at, length) => (at % 4 === 0 ? 'x' : `abcdefghijk${'k'.repeat(length)}`)],
    ['text of two bytes', (_, length) => 'ü'.repeat(length)],
    ['lists', (at, length) => ['x'.repeat(length), at]],
    ['numbers between flags', (at, length) => (at % 2 === 0 ? at * length : at % 3 === 0)],
    ['numbers between text', (at, length) => (at % 2 === 0 ? at * length : 'x'.repeat(length))],
    ['addresses', (at) => `2001:db8::${at.toString(16)}`],
    ['short text and numbers', (at, length) => (at % 5 === 0 ? 'y'.repeat(length * 20) : at)],
  ];

  it.each(KINDS)(
    'because a row of %s is too large are rejected, and no row that Postgres accepts fails the load',
    async (_, of) => {
      const table = await seed();
      const rows = [289, 290, 291, 330, 400, 450, 500].flatMap((width) =>
        [1, 7, 13, 15, 16, 20, 21, 22, 23, 24, 31, 32, 40, 90].map((length) =>
          JSON.stringify(Object.fromEntries(Array.from({ length: width }, (__, at) => [`c${at}`, of(at, length)]))),
        ),
      );
      const load = await table.append(rows.join('\n'));
      expect(load).toMatchObject({ status: 'COMPLETED', rows_new: expect.any(Number) });
      expect(Number(load.rows_new) + Number(load.rows_rejected)).toBe(rows.length);
      expect(Number(load.rows_new)).toBeGreaterThanOrEqual(2 * 14);
    },
  );

  it.each([
    ['short text', (at: number) => `value ${at}`],
    ['whole numbers', (at: number) => 10 ** 14 + at],
    ['ids', (at: number) => `0198c0de-0000-7000-8000-${String(at).padStart(12, '0')}`],
    ['moments', (at: number) => `2026-01-01T00:00:00.${100_001 + 2 * at}+00:00`],
    ['flags', (at: number) => at % 2 === 0],
  ])('do not include rows of 500 columns of %s', async (_, of) => {
    const table = await seed();
    const row = Object.fromEntries(Array.from({ length: 500 }, (__, at) => [`c${at}`, of(at)]));
    for (const format of ['ndjson', 'csv'] as const) {
      const content =
        format === 'csv' ? `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}` : JSON.stringify(row);
      expect(await table.append(content, { format })).toMatchObject({ rows_new: 1, rows_rejected: 0 });
    }
    expect(await table.rows()).toEqual([row, row]);
  });

  it('because wider columns would make existing rows too long, fail the load', async () => {
    const table = await seed();
    const row = (value: unknown) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, value])));
    await table.append(row(8_123_456_789_012_345));
    const before = await table.rows();
    const load = await table.append(row('x'));
    expect(load).toMatchObject({ status: 'FAILED', error: expect.stringContaining('row') });
    expect(await table.rows()).toEqual(before);
    expect(Object.values(await table.types())).toEqual(Array(500).fill('bigint'));
    expect(await table.append(row(1))).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
  });

  it('because of the columns of both together, leave no column behind', async () => {
    const table = await seed(['k']);
    const texts = (name: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `${name}${at}`,
          `${name} ${at} abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH`,
        ]),
      );
    await table.append(JSON.stringify({ k: 'a', ...texts('one', 280) }));
    const columns = await table.columns();
    expect(await table.append(JSON.stringify({ k: 'a', ...texts('other', 200) }))).toMatchObject({ status: 'FAILED' });
    expect(await table.columns()).toEqual(columns);
  });

  it('are recorded up to 10,000 and counted without a limit', async () => {
    const table = await seed();
    const load = await table.append('nonsense\n'.repeat(10_050));
    expect(load).toMatchObject({ rows_rejected: 10_050 });
    expect(
      await table.query('SELECT count(*)::int AS recorded FROM datasets.rejected_row WHERE dataset_id = $1', [
        table.table.id,
      ]),
    ).toEqual([{ recorded: 10_000 }]);
  });
});

it('a small file of 60 unpacked megabytes is read with little memory, also without line ends', async () => {
  const table = await seed();
  const row = `{"v":"${'x'.repeat(1000)}"}\n`;
  // A text that does not compress keeps the file below the allowed ratio of unpacked to packed bytes.
  const incompressible = randomBytes(UNITS.M).toString('base64');
  const endless = Buffer.alloc(300 * UNITS.M, 'x');
  const content = Buffer.concat([Buffer.from(row.repeat(60_000) + incompressible), endless]);
  const load = await table.append(gzipSync(content, { level: 1 }), { encoding: 'gzip' });
  expect(load).toMatchObject({ status: 'COMPLETED', rows_new: 60_000, rows_rejected: 1 });
});

const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));
const value = fc.oneof(
  fc.constant(null),
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.boolean(),
  fc.array(text, { maxLength: 2 }),
  fc.ipV4(),
  fc.uuid(),
);
const kinds = [text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 2 }), value];

it('random rows are stored unmodified, within their types', async () => {
  const table = fc.uniqueArray(
    fc.tuple(
      text.filter((name) => name !== ''),
      fc.constantFrom(...kinds),
    ),
    {
      ...{ minLength: 1, maxLength: 4 },
      selector: ([name]) => name,
    },
  );
  const rowsOf = table.chain((columns) =>
    fc.array(fc.tuple(...columns.map(([name, kind]) => fc.tuple(fc.constant(name), kind))), {
      ...{ minLength: 1, maxLength: 6 },
    }),
  );
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.constantFrom('json', 'ndjson'), async (rows, format) => {
      const written = rows.map((row) => JSON.stringify(Object.fromEntries(row)));
      const target = await seed();
      await target.append(format === 'json' ? `[${written.join(',')}]` : written.join('\n'), { format });
      const types = await target.types();
      const found = await target.rows();
      for (const [at, row] of rows.entries()) {
        for (const [name, sent] of row) {
          const [read, type] = [found[at]?.[name], types[name]];
          if (type === 'text' && sent !== null && typeof sent !== 'string') expect(read).toBe(JSON.stringify(sent));
          else expect(read).toEqual(sent);
        }
      }
    }),
    { numRuns: 20 },
  );
});
