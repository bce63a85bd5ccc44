import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateColumn } from '@millrace/contracts/datasets/columns';
import { listRejected } from '@millrace/contracts/datasets/loads';
import { appendRows, listChanges } from '@millrace/contracts/datasets/rows';
import type { Input } from '@millrace/contracts/kit/operation';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset, type SeededDataset } from '../testing/seed-dataset.js';

type AppendOptions = Input<typeof appendRows>['body'];
const owner = ownerCaller();
let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

const seed = (key: string[] = []) =>
  seedDataset(system.database, owner, { columns: key.map((name) => [name, 'text']), key });

async function append(table: SeededDataset, content: string | Buffer, options: Partial<AppendOptions> = {}) {
  const stored = await new DiskStore(system.folder).put(Buffer.from(content));
  const body = { format: 'ndjson' as const, encoding: 'identity' as const, ...stored, ...options };
  return system.callAs(owner, appendRows, { params: { id: table.id }, body });
}

const columnsOf = (table: SeededDataset) =>
  system.database.query<{ name: string; type: string; number: number }>(
    'SELECT name, type, number FROM datasets.dataset_column WHERE dataset_id = $1 ORDER BY number',
    [table.id],
  );

/** Rows in their order, with the names of the columns. */
async function rowsOf(table: SeededDataset): Promise<unknown[]> {
  const columns = await columnsOf(table);
  const rows = await system.database.query<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS row FROM live.d_${table.number} t ORDER BY _id`,
  );
  return rows.map(({ row }) => Object.fromEntries(columns.map(({ name, number }) => [name, row[`c${number}`]])));
}

describe('uploaded rows', () => {
  it('are in the table with types when the response arrives', async () => {
    const table = await seed();
    const load = await append(
      table,
      '{"host":"a.com","port":80,"ip":"10.0.0.1","tags":["x"]}\n{"host":"b.com","up":true}\n',
    );
    expect(load).toMatchObject({ status: 'COMPLETED', rows_read: 2, rows_new: 2, rows_rejected: 0 });
    expect((await columnsOf(table)).map(({ name, type }) => [name, type])).toEqual([
      ['host', 'text'],
      ['port', 'bigint'],
      ['ip', 'inet'],
      ['tags', 'json'],
      ['up', 'boolean'],
    ]);
    expect(await rowsOf(table)).toEqual([
      { host: 'a.com', port: 80, ip: '10.0.0.1', tags: ['x'], up: null },
      { host: 'b.com', port: null, ip: null, tags: null, up: true },
    ]);
  });

  it.each([
    ['csv', 'a,b\r\n1,"x, ""y"""\r\n2,\r\n', 'identity'],
    ['json', '[{"a":1,"b":"x, \\"y\\""},\n {"a":2}]', 'identity'],
    ['ndjson', gzipSync('{"a":1,"b":"x, \\"y\\""}\n{"a":2}'), 'gzip'],
    ['ndjson', zstdCompressSync('{"a":1,"b":"x, \\"y\\""}\n{"a":2}'), 'zstd'],
  ] as const)('can be sent as %s', async (format, content, encoding) => {
    const table = await seed();
    await append(table, content, { format, encoding });
    expect(await rowsOf(table)).toEqual([
      { a: 1, b: 'x, "y"' },
      { a: 2, b: null },
    ]);
  });

  it('replace rows with the same key', async () => {
    const table = await seed(['host']);
    await append(table, '{"host":"a","n":1}\n{"host":"b","n":1}\n');
    const load = await append(
      table,
      '{"host":"a","n":2}\n{"host":"b","n":1}\n{"host":"c","n":3}\n{"host":"c","n":4}\n',
    );
    expect(load).toMatchObject({ rows_new: 1, rows_changed: 1, rows_unchanged: 1, rows_gone: 0 });
    expect(await rowsOf(table)).toEqual([
      { host: 'a', n: 2 },
      { host: 'b', n: 1 },
      { host: 'c', n: 4 },
    ]);
  });

  it('are rejected with line and reason if they cannot be parsed', async () => {
    const table = await seed(['host']);
    const load = await append(table, '{"host":"a"}\nnonsense\n{"port":1}\n[1]\n{"host":"b\\u0000"}\n');
    expect(load).toMatchObject({ status: 'COMPLETED', rows_read: 1, rows_rejected: 4, rows_new: 1 });
    const { results } = await system.callAs(owner, listRejected, {
      params: { id: table.id },
      query: { ordering: 'line' },
    });
    expect(results.map(({ line, text }) => [line, text])).toEqual([
      [2, 'nonsense'],
      [3, '{"port":1}'],
      [4, '[1]'],
      [5, '{"host":"b\\u0000"}'],
    ]);
  });

  it('widen a column, and its values keep their notation', async () => {
    const table = await seed();
    await append(table, 'n\n1.50\n2\nx\n', { format: 'csv' });
    expect(await rowsOf(table)).toEqual([{ n: '1.50' }, { n: '2' }, { n: 'x' }]);
  });
});

it('timestamps in changes have the same form as in rows', async () => {
  const table = await seed(['k']);
  const moments = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T02:00:00.123456+02:00', null];
  const lines = (n: number) => moments.map((at, k) => JSON.stringify({ k: String(k), at, n })).join('\n');
  const listByKind = (kind: 'new' | 'changed') =>
    system.callAs(owner, listChanges, { params: { id: table.id }, query: { kind } });
  const shown = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.500Z', '2026-01-01T00:00:00.123456Z', null];
  await append(table, lines(1));
  expect((await listByKind('new')).results).toMatchObject(shown.map((at) => ({ after: { at } })));
  await append(table, lines(2));
  const changed = shown.map((at) => ({ before: { at }, after: { at } }));
  expect((await listByKind('changed')).results).toMatchObject(changed);
  await system.callAs(owner, updateColumn, { params: { id: table.id, name: 'at' }, body: { type: 'text' } });
  expect((await listByKind('changed')).results).toMatchObject(changed);
});
