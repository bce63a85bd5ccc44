import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startIngesting, type IngestingSystem } from '../testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
beforeAll(async () => void (system = await startIngesting(owner)));
afterAll(() => system.close());

const MIB = 1024 * 1024;

it('the records of loaded rows have at most 64 MiB in a table; those of the oldest loads are deleted', async () => {
  const table = await system.seed();
  const { id } = table.table;
  const workflow = newId();
  await table.bind(workflow, 1);
  // Compressing them takes minutes.
  await system.database.query('ALTER TABLE datasets.generation ALTER COLUMN row_ids SET STORAGE EXTERNAL');
  // Each of the 12 records has about 8 MB: every second id is missing.
  await table.query(
    `WITH record AS MATERIALIZED (SELECT range_agg(int8range(2 * i, 2 * i + 1)) AS ids FROM generate_series(1, 500000) i)
     INSERT INTO datasets.generation (dataset_id, number, source, complete, created, changed, unchanged, gone, row_ids)
     SELECT $1, n, 1, true, 0, 0, 0, 0, ids FROM record, generate_series(1, 12) n`,
    [id],
  );
  await table.load(await system.runs.finish({ workflow, outputs: ['{"k":"x"}'] }));
  const records = await table.query<{ bytes: number | null }>(
    'SELECT pg_column_size(row_ids) AS bytes FROM datasets.generation WHERE dataset_id = $1 ORDER BY number',
    [id],
  );
  expect(records).toHaveLength(13);
  const kept = records.filter(({ bytes }) => bytes !== null);
  expect(records.slice(-kept.length)).toEqual(kept);
  const total = kept.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  expect(total).toBeLessThanOrEqual(64 * MIB);
  expect(total).toBeGreaterThan(48 * MIB);
});

it('an upload has no record, and a load without rows has an empty one', async () => {
  const table = await system.seed();
  const workflow = newId();
  await table.bind(workflow, 1);
  await table.append('{"k":"x","n":1}');
  await table.load(await system.runs.finish({ workflow, outputs: ['{"k":"x","n":1}\n{"k":"y"}'] }));
  await table.load(await system.runs.finish({ workflow, outputs: ['nonsense'] }));
  const records = await table.query(
    'SELECT row_ids::text AS ids, columns FROM datasets.generation WHERE dataset_id = $1 ORDER BY number',
    [table.table.id],
  );
  expect(records).toEqual([
    { ids: null, columns: null },
    { ids: '{[1,3)}', columns: [1, 2] },
    { ids: '{}', columns: [1] },
  ]);
});
