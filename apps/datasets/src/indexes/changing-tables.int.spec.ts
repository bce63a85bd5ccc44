import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { updateColumn } from '@millrace/contracts/datasets/columns';
import { clearDataset } from '@millrace/contracts/datasets/datasets';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertRows, readTableNumber } from '../testing/seed-dataset.js';
import { physicalIndexes, seedLargeTable } from '../testing/seed-large-table.js';
import { MAX_INDEX_RECORDS } from './index-usage.service.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

const LONG = Array.from({ length: 800 }, (_, at) => `${at * 7919}`).join('-');

/** Opens an older transaction, for which the build of an index has to wait. */
async function openSnapshot(): Promise<() => Promise<void>> {
  const client = new pg.Client(system.database.url);
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT count(*) FROM datasets.dataset');
  return () => client.end();
}

const untilBuilding = (listed: () => Promise<{ state: string }[]>) =>
  eventually(async () => expect((await listed()).map(({ state }) => state)).toContain('building'));

describe('a column that changes its type', () => {
  it('gets no index that was requested before, and accepts long values', async () => {
    const { table, searchTwice, search, append, listed } = await seedLargeTable(system, 11_000);
    await searchTwice({ q: 'host = host-1.example.com', order: 'port' });
    await searchTwice({ q: 'host ~ "st-77"' });
    expect(await append({ host: { x: 1 }, port: 1 })).toMatchObject({ status: 'COMPLETED' });
    await searchTwice({ q: 'port = 443' });
    await eventually(async () =>
      expect(await listed()).toMatchObject([{ column: 'port', kind: 'range', state: 'ready' }]),
    );
    expect(await physicalIndexes(system.database, table.number)).toEqual([`d_${table.number}_2_range`]);
    expect(await append({ host: { x: LONG }, port: 2 })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
    expect((await search({ order: '-_row', page_size: 1 })).results).toMatchObject([{ host: { x: LONG } }]);
  });

  it('gets no index for its former type while other indexes are being built', async () => {
    const { owner, table, searchTwice, append, listed } = await seedLargeTable(system, 11_000);
    const release = await openSnapshot();
    await searchTwice({ q: 'port = 443 AND host ~ "st-77"', order: 'host' });
    await untilBuilding(listed);
    const changed = append({ host: { x: 1 }, port: 1 });
    await release();
    expect(await changed).toMatchObject({ status: 'COMPLETED' });
    await eventually(async () => expect((await listed()).map(({ state }) => state)).toEqual(['ready']));
    expect(await physicalIndexes(system.database, table.number)).toEqual([`d_${table.number}_2_range`]);
    expect(await append({ host: { x: LONG }, port: 2 })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
    const params = { id: table.id, name: 'port' };
    expect(await system.callAs(owner, updateColumn, { params, body: { type: 'text' } })).toMatchObject({
      type: 'text',
    });
    expect(await listed()).toEqual([]);
  });

  it('accepts a long value even if it has an index without a record', async () => {
    const { table, append } = await seedLargeTable(system, 100);
    await append({ host: { x: 1 }, port: 1 });
    await system.database.query(`CREATE INDEX d_${table.number}_1_range ON live.d_${table.number} (c1, _id)`);
    expect(await append({ host: { x: LONG }, port: 2 })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
    expect(await physicalIndexes(system.database, table.number)).toEqual([]);
  });
});

describe('a table that is cleared while an index is built', () => {
  it('gets the index again with its new rows', async () => {
    const { owner, table, searchTwice, listed } = await seedLargeTable(system, 11_000);
    const release = await openSnapshot();
    await searchTwice({ q: 'port = 443' });
    await untilBuilding(listed);
    await system.callAs(owner, clearDataset, { params: { id: table.id } });
    await release();
    const number = await readTableNumber(system.database, table);
    await insertRows(system.database, { ...table, number }, 2, `'h', n FROM generate_series(1, 11000) n`);
    await eventually(async () => {
      await searchTwice({ q: 'port = 443' });
      expect(await physicalIndexes(system.database, number)).toEqual([`d_${number}_2_range`]);
      expect(await listed()).toMatchObject([{ state: 'ready', size_bytes: expect.any(Number) }]);
    });
  });
});

describe('an index that cannot be built', () => {
  it('does not prevent the building of others', async () => {
    const { table, searchTwice, listed } = await seedLargeTable(system, 11_000);
    const conflicting = `live.d_${table.number}_1_range`;
    await system.database.query(`CREATE TABLE ${conflicting} ()`);
    await searchTwice({ q: 'host > x' });
    await searchTwice({ q: 'host > x AND port = 443' });
    const states = async () => Object.fromEntries((await listed()).map(({ column, state }) => [column, state]));
    await eventually(async () => expect(await states()).toEqual({ host: 'building', port: 'ready' }));
    await system.database.query(`DROP TABLE ${conflicting}`);
  });
});

describe('the index records of a table', () => {
  it('stay within their limit, whatever queries run', async () => {
    const { table, search, listed } = await seedLargeTable(system, 11_000);
    const columns = Array.from({ length: 16 }, (_, at) => at + 10);
    for (const at of columns) {
      await system.database.query(`ALTER TABLE live.d_${table.number} ADD COLUMN c${at} bigint DEFAULT 1`);
      await system.database.query(
        `INSERT INTO datasets.dataset_column (dataset_id, number, name, type) VALUES ($1, $2, 'n' || $2::int, 'bigint')`,
        [table.id, at],
      );
    }
    await system.database.query('UPDATE datasets.dataset SET revision = revision + 1 WHERE id = $1', [table.id]);
    for (const one of columns) for (const other of columns) await search({ q: `n${one} = 1`, order: `n${other}` });
    await eventually(async () => expect(await listed()).toHaveLength(MAX_INDEX_RECORDS));
  });
});
