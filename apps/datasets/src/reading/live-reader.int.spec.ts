import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import type { DatasetsEnv } from '../env.js';
import { start } from '../start.js';
import { insertRows, seedDataset } from '../testing/seed-dataset.js';
import { LiveReader } from './live-reader.js';
import type { LiveShape } from './live-shape.js';
import { ShapeCache } from './shape-cache.js';

let system: SystemWithStore;
let database: Database;
let shapes: ShapeCache;
let shape: LiveShape;
beforeAll(async () => {
  system = await startWithStore([start]);
  const url = String(system.database.logins['DATABASE_URL_DATASETS']);
  database = new Database({ url, service: 'datasets', connections: 2 });
  shapes = new ShapeCache(database);
  const table = await seedDataset(system.database, ownerCaller(), { columns: [['a', 'text']], key: [] });
  await insertRows(system.database, table, 1, `'x' FROM generate_series(1, 3)`);
  shape = await shapes.load(table.id);
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** A reader with few connections, on which its queries follow each other. */
const createReader = (connections: number) =>
  new LiveReader({ QUERY_CONNECTIONS: connections, QUERY_TIMEOUT: 120_000 } as DatasetsEnv, shapes, database);

const select = (expression: string) => ({ text: `SELECT ${expression}`, values: [] });
const count = `count(*)::text FROM live.d_`;

it('a query on a table that has changed leaves no statement behind for the next one', async () => {
  const reader = createReader(1);
  const stale = { ...shape, revision: shape.revision - 1 };
  const read = (from: LiveShape) =>
    reader.read('user', [from], async (session, [current = from]) => {
      for (let at = 0; at < 3; at++) await session.run(select(`${count}${current.number}`));
      // Fails in the transaction of another query.
      if (current === stale) await session.run(select('1 / 0'));
      return (await session.run(select(`${count}${current.number}`))).rows;
    });
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => read(at % 2 === 0 ? stale : shape)));
  expect(outcomes).toEqual(Array.from({ length: 20 }, () => [['3']]));
  await reader.onApplicationShutdown();
});

it('a query whose rows are too large ends its connection without reading the rest', async () => {
  const reader = createReader(1);
  const rows = `repeat('x', 1000000), pg_backend_pid()::text FROM generate_series(1, 100000)`;
  const { rows: found, isCut } = await reader.read('user', [shape], (session) => session.run(select(rows), 2_500_000));
  expect([found.length, isCut]).toEqual([3, true]);
  const query = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1::int';
  await eventually(async () => expect(await system.database.query(query, [found[0]?.[1]])).toEqual([]));
  await reader.onApplicationShutdown();
});

it('a shutdown does not wait for queries', async () => {
  const reader = createReader(1);
  const reading = reader.read('user', [shape], (session) => session.run(select('pg_sleep(100)::text')));
  const outcome = expect(reading).rejects.toThrow(/terminated|closed/i);
  const sleeping = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(100)%' AND pid <> pg_backend_pid()`;
  const [{ pid }] = await eventually(async () => {
    const found = await system.database.query<{ pid: number }>(sleeping);
    expect(found).toHaveLength(1);
    return found as [{ pid: number }];
  });
  await reader.onApplicationShutdown();
  await outcome;
  await system.database.query('SELECT pg_terminate_backend($1)', [pid]);
});
