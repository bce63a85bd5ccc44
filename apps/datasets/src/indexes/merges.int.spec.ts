import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clearDataset, deleteDataset, getDataset } from '@millrace/contracts/datasets/datasets';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedLargeTable } from '../testing/seed-large-table.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

/** Creates a large table with the index that this query needs. */
async function indexed(query: object) {
  const { table, searchTwice, listed, ...rest } = await seedLargeTable(system, 11_000);
  const indexes = async () => (await listed()).map(({ kind, state }) => `${kind} ${state}`);
  await searchTwice(query);
  await eventually(async () => expect((await indexes()).join()).toMatch(/ready/));
  return { ...rest, params: { id: table.id }, indexes };
}

describe('a merge into a table with indexes of its own', () => {
  it('accepts a value that is too long for one of them and drops that index', async () => {
    const { append, search, indexes } = await indexed({ q: 'host = host-1.example.com' });
    const long = randomBytes(20_000).toString('base64');
    expect(await append({ host: long })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
    expect(await indexes()).toEqual(['range unfit']);
    expect((await search({ q: 'host LIKE "%host%"', order: '-_row', page_size: 1 })).results).toMatchObject([
      { host: 'host-11000.example.com' },
    ]);
    expect((await search({ order: '-_row', page_size: 1 })).results).toMatchObject([{ host: long }]);
  });

  it('can change a column with a trigram index to json', async () => {
    const { append, search, indexes } = await indexed({ q: 'host ~ "st-1"' });
    expect(await append({ host: ['a', 'b'] })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });
    expect(await indexes()).toEqual([]);
    expect((await search({ q: 'host HAS a' })).results).toMatchObject([{ host: ['a', 'b'] }]);
  });
});

describe('a table that was cleared', () => {
  it('can be filled again, and queries see its current rows each time', async () => {
    const { owner, params, append, search } = await indexed({ order: '-host' });
    for (const round of [1, 2]) {
      await system.callAs(owner, clearDataset, { params });
      expect(await search({})).toMatchObject({ results: [], count: 0 });
      expect(await append({ host: `round ${round}`, port: round })).toMatchObject({
        status: 'COMPLETED',
        rows_new: 1,
      });
      expect(await search({ select: 'host,port' })).toMatchObject({
        results: [{ host: `round ${round}`, port: round }],
        count: 1,
      });
    }
    expect(await system.callAs(owner, getDataset, { params })).toMatchObject({ row_count: 1 });
  });
});

describe('a table that is deleted while it is filled and queried', () => {
  it('disappears and leaves nothing behind', async () => {
    const { owner, params, append, search } = await indexed({ q: 'host = host-1.example.com' });
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ host: `more ${at}` }));
    const calls = [
      append(...rows),
      append(...rows),
      search({ q: 'host ~ "9"', order: '-host' }),
      search({ count: 'exact' }),
    ];
    const outcomes = calls.map((one: Promise<unknown>) =>
      one.then(
        () => 'answered',
        (error: { code: string }) => error.code,
      ),
    );
    expect(await system.callAs(owner, deleteDataset, { params })).toBeNull();
    for (const outcome of await Promise.all(outcomes)) expect(['answered', 'not_found']).toContain(outcome);
    await eventually(async () =>
      expect(
        await system.database.query(
          `SELECT relname FROM pg_class WHERE relnamespace = 'live'::regnamespace AND relkind = 'r'
             AND (relname LIKE 's\\_%' OR NOT EXISTS (
               SELECT FROM datasets.dataset d WHERE relname IN ('d_' || d.number, 'd_' || d.number || '_changes')))`,
        ),
      ).toEqual([]),
    );
  });
});
