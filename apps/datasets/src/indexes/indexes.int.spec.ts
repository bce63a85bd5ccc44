import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteColumn, updateColumn } from '@millrace/contracts/datasets/columns';
import { clearDataset } from '@millrace/contracts/datasets/datasets';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertRows, readTableNumber } from '../testing/seed-dataset.js';
import { physicalIndexes, seedLargeTable } from '../testing/seed-large-table.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

/** Longer than the minimum interval between two updates of a table's indexes. */

const seeded = (rows: number, key: string[] = []) => seedLargeTable(system, rows, key);
const physical = (number: number) => physicalIndexes(system.database, number);

describe('a query that runs repeatedly on a large table', () => {
  it('gets an index of its kind, and Postgres uses it', async () => {
    const { table, searchTwice, listed } = await seeded(20_000);
    const { number } = table;
    const queries = [
      { q: 'port = 443' },
      { q: 'host ~ "19999"' },
      { q: 'tech HAS t77' },
      { order: '-_first_seen' },
      { order: '-host' },
    ];
    const before = await Promise.all(queries.map(async (query) => (await searchTwice(query)).results));
    await eventually(async () =>
      expect(await physical(number)).toEqual([
        `d_${number}_0_range`,
        `d_${number}_1_range`,
        `d_${number}_1_trigram`,
        `d_${number}_2_range`,
        `d_${number}_3_contains`,
      ]),
    );
    await eventually(async () =>
      expect((await listed()).map(({ column, kind, state }) => [column, kind, state])).toEqual([
        ['_first_seen', 'range', 'ready'],
        ['host', 'range', 'ready'],
        ['host', 'trigram', 'ready'],
        ['port', 'range', 'ready'],
        ['tech', 'contains', 'ready'],
      ]),
    );
    for (const index of await listed()) expect(index.size_bytes).toBeGreaterThan(0);
    for (const [at, query] of queries.entries()) expect((await searchTwice(query)).results).toEqual(before[at]);
    const scans = () =>
      system.database.query<{ name: string }>(
        `SELECT indexrelname AS name FROM pg_stat_user_indexes
         WHERE relname = 'd_' || $1 AND idx_scan > 0 AND indexrelname ~ '_\\d+_' ORDER BY 1`,
        [number],
      );
    await eventually(async () => expect(await scans()).toHaveLength(5));
  });

  it('gets its index even if others were built just before, without running again', async () => {
    const { table, searchTwice } = await seeded(11_000);
    const made = (...names: string[]) =>
      eventually(async () =>
        expect(await physical(table.number)).toEqual(names.map((name) => `d_${table.number}_${name}`)),
      );
    await searchTwice({ q: 'port = 1' });
    await made('2_range');
    await searchTwice({ q: 'host = a' });
    await made('1_range', '2_range');
  });

  it('gets an index for the order of rows with the same value, unless they are few', async () => {
    const { owner, table, searchTwice, listed } = await seeded(20_000);
    const { number } = table;
    const query = { q: 'port <= 4 AND tech HAS t1 AND port = 1', order: '-host', page_size: 2 };
    const before = await searchTwice(query);
    await searchTwice({ q: 'host = host-7.example.com', order: 'port' });
    const ordered = async () => (await listed()).filter(({ kind }) => kind === 'ordered');
    await eventually(async () =>
      expect(await ordered()).toMatchObject([{ column: 'port', ordered_by: 'host', state: 'ready' }]),
    );
    expect(await physical(number)).toContain(`d_${number}_2_ordered_1`);
    expect(await searchTwice(query)).toEqual({ ...before, cursor: expect.any(String) });
    const rest = await searchTwice({ ...query, cursor: before.cursor ?? '' });
    expect([...before.results, ...rest.results].map((row) => (row as { host: string }).host)).toEqual(
      ['host-5001', 'host-15001', 'host-10001', 'host-1'].map((host) => `${host}.example.com`),
    );
    await system.callAs(owner, deleteColumn, { params: { id: table.id, name: 'host' } });
    expect(await ordered()).toEqual([]);
    await eventually(async () => expect(await physical(number)).not.toContain(`d_${number}_2_ordered_1`));
  });

  it('gets no index if the table is small', async () => {
    const { table, searchTwice, listed } = await seeded(100);
    await searchTwice({ q: 'port = 443' });
    const large = await seeded(11_000);
    await large.searchTwice({ q: 'port = 443' });
    await eventually(async () => expect(await physical(large.table.number)).toHaveLength(1));
    expect(await physical(table.number)).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('gets no index that a long value would break, so that such values can be loaded', async () => {
    const { table, searchTwice, listed } = await seeded(11_000);
    await system.database.query(`UPDATE live.d_${table.number} SET c1 = repeat('x', 1500) WHERE _id = 1`);
    await searchTwice({ q: 'host = a' });
    await eventually(async () => expect(await listed()).toMatchObject([{ kind: 'range', state: 'unfit' }]));
    expect(await physical(table.number)).toEqual([]);
  });

  it("is served by the index of the primary key if it uses the key's column", async () => {
    const { table, searchTwice, listed } = await seeded(11_000, ['host']);
    await searchTwice({ q: 'host = a and port = 1', order: 'port' });
    await eventually(async () => expect(await physical(table.number)).toEqual([`d_${table.number}_2_range`]));
    expect((await listed())[0]).toMatchObject({ column: 'host', kind: 'key', state: 'ready' });
  });
});

describe('an index', () => {
  it('is dropped if no query has used it for two weeks', async () => {
    const { table, searchTwice, listed } = await seeded(11_000);
    await searchTwice({ q: 'port = 1' });
    await eventually(async () => expect(await listed()).toMatchObject([{ state: 'ready' }]));
    await system.database.query(
      `UPDATE datasets.dataset_index SET last_used_at = now() - interval '15 days' WHERE dataset_id = $1`,
      [table.id],
    );
    const copy = await system.start(start);
    await eventually(async () => expect(await listed()).toEqual([]));
    expect(await physical(table.number)).toEqual([]);
    await copy.close();
  });

  it('is built again if it is recorded as ready but missing', async () => {
    const { table, searchTwice, listed } = await seeded(11_000);
    await searchTwice({ q: 'port = 1' });
    await eventually(async () => expect(await listed()).toMatchObject([{ state: 'ready' }]));
    await system.database.query(`DROP INDEX live.d_${table.number}_2_range`);
    const copy = await system.start(start);
    await eventually(async () => expect(await physical(table.number)).toEqual([`d_${table.number}_2_range`]));
    await copy.close();
  });

  it('is built again after the table was cleared and after a column changed its type', async () => {
    const { owner, table, searchTwice, listed } = await seeded(11_000);
    await searchTwice({ q: 'port = 1' });
    await eventually(async () => expect(await listed()).toMatchObject([{ state: 'ready' }]));
    await system.callAs(owner, clearDataset, { params: { id: table.id } });
    expect(await listed()).toMatchObject([{ state: 'wanted' }]);
    const number = await readTableNumber(system.database, table);
    await insertRows(system.database, { ...table, number }, 2, `'h', n FROM generate_series(1, 11000) n`);
    await eventually(async () => {
      await searchTwice({ q: 'port = 1' });
      expect(await physical(number)).toEqual([`d_${number}_2_range`]);
    });
    await system.callAs(owner, updateColumn, { params: { id: table.id, name: 'port' }, body: { type: 'text' } });
    expect(await listed()).toEqual([]);
    expect(await physical(number)).toEqual([]);
  });
});

describe('a table whose job was lost', () => {
  it('is dropped when the service starts, and so is a column', async () => {
    const { table } = await seeded(1);
    const retained = await seeded(1);
    await system.database.query('DELETE FROM datasets.dataset WHERE id = $1', [table.id]);
    await system.database.query('DELETE FROM datasets.dataset_column WHERE dataset_id = $1 AND number = 2', [
      retained.table.id,
    ]);
    const copy = await system.start(start);
    const left = () =>
      system.database.query<{ columns: number | null }>(
        `SELECT (SELECT count(*)::int FROM pg_attribute WHERE attrelid = c.oid AND attname ~ '^c' AND attnum > 0 AND NOT attisdropped) AS columns
         FROM pg_class c WHERE c.oid IN (to_regclass('live.d_' || $1), to_regclass('live.d_' || $2))`,
        [table.number, retained.table.number],
      );
    await eventually(async () => expect(await left()).toEqual([{ columns: 2 }]));
    await copy.close();
  });
});
