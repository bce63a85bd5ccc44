import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { listChanges, queryRows } from '@millrace/contracts/datasets/rows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { jsonLines, type IngestTable } from '../testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../testing/start-ingesting.js';
import { expireLoad } from './expire-load.js';
import { LoadHistoryService } from './load-history.service.js';

const owner = ownerCaller();
let system: IngestingSystem;
beforeAll(async () => {
  system = await startIngesting(owner);
});
afterAll(() => system.close());

const count = async (table: IngestTable, name: string): Promise<number> => {
  const [row] = await table.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM datasets.${name} WHERE load_id IN (SELECT id FROM datasets.load WHERE dataset_id = $1)`,
    [table.table.id],
  );
  return row?.count ?? 0;
};

const params = (table: IngestTable) => ({ params: { id: table.table.id } });
const rejectedOf = async (table: IngestTable) => (await system.callAs(owner, getDataset, params(table))).rejected_count;
const rowsOf = async (table: IngestTable) =>
  (await system.callAs(owner, queryRows, { ...params(table), query: { order: 'k' } })).results;

/** Loads two runs with a row that cannot be read each. The second changes a row. */
async function loadTwoRuns(): Promise<{ table: IngestTable; loads: [string, string]; runs: [string, string] }> {
  const table = await system.seed();
  const workflow = newId();
  await table.bind(workflow, 1);
  const load = async (n: number) => {
    const run = await system.runs.finish({
      workflow,
      outputs: [
        `${jsonLines([
          { k: 'a', n },
          { k: 'b', n: 0 },
        ])}\n{broken\n`,
      ],
    });
    return { run, ...(await table.load(run)) };
  };
  const [first, second] = [await load(1), await load(2)];
  return { table, loads: [first.id, second.id], runs: [first.run, second.run] };
}

async function expire(table: IngestTable, load: string, batchSize?: number): Promise<void> {
  const [found] = await table.query<{ at: Date }>('SELECT finished_at AS at FROM datasets.load WHERE id = $1', [load]);
  await expireLoad(system.client, { id: BigInt(load), datasetId: table.table.id, finishedAt: found!.at }, batchSize);
}

describe('a load that is deleted because of its age', () => {
  it('goes with its parts, rejected rows and changes, and the rows of the table stay with their runs', async () => {
    const { table, loads, runs } = await loadTwoRuns();
    const before = await rowsOf(table);
    expect(await rejectedOf(table)).toBe(2);
    await expire(table, loads[1], 1);
    const left = await table.query('SELECT id::text FROM datasets.load WHERE dataset_id = $1', [table.table.id]);
    expect(left).toEqual([{ id: loads[0] }]);
    expect(await rowsOf(table)).toEqual(before);
    expect([await count(table, 'load_part'), await count(table, 'rejected_row'), await rejectedOf(table)]).toEqual([
      1, 1, 1,
    ]);
    expect(await table.query('SELECT 1 FROM TABLE_changes')).toEqual([]);
    const changes = await system.callAs(owner, listChanges, { ...params(table), query: { run: runs[1] } });
    expect(changes).toMatchObject({ results: [], counts: { changed: 1 } });
  });

  it('counts its rejected rows once if it is interrupted and repeated', async () => {
    const { table, loads } = await loadTwoRuns();
    const fails = `CREATE FUNCTION datasets.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$`;
    await table.query(fails);
    await table.query('CREATE TRIGGER fail BEFORE DELETE ON datasets.load EXECUTE FUNCTION datasets.fail()');
    for (let tries = 0; tries < 2; tries++) await expect(expire(table, loads[0])).rejects.toThrow('interrupted');
    await table.query('DROP TRIGGER fail ON datasets.load');
    await expire(table, loads[0]);
    expect(await rejectedOf(table)).toBe(1);
  });

  it('does not change that a later run decides over an earlier one', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const late = system.runs.start({ workflow, outputs: [jsonLines([{ k: 'a', n: 1 }])] });
    const run = await system.runs.finish({ workflow, outputs: [jsonLines([{ k: 'a', n: 2 }])] });
    await expire(table, (await table.load(run)).id);
    await system.runs.publishFinished(late);
    await table.load(late);
    expect(await rowsOf(table)).toMatchObject([{ k: 'a', n: 2 }]);
  });
});

it('the service deletes loads that ended before LOAD_RETENTION_DAYS, and no others', async () => {
  const { table, loads } = await loadTwoRuns();
  for (const [load, days] of [
    [loads[0], 11],
    [loads[1], 9],
  ]) {
    await table.query(`UPDATE datasets.load SET finished_at = now() - $2 * interval '1 day' WHERE id = $1`, [
      load,
      days,
    ]);
  }
  const service = new LoadHistoryService(system.client, { LOAD_RETENTION_DAYS: 10 });
  await service.deleteOld();
  const left = await table.query('SELECT id::text FROM datasets.load WHERE dataset_id = $1', [table.table.id]);
  expect(left).toEqual([{ id: loads[1] }]);
});
