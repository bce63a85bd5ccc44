import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { countRows, fillRun } from '../../testing/fill-run.js';
import { insertSplitRun, type SplitRun } from '../../testing/insert-split-run.js';
import { deleteRows } from './delete-rows.js';
import { hideRuns } from './hide-runs.js';

const CHILDREN = 40;
/** Fewer than any table has rows. */
const BATCH = 15;
const caller = ownerCaller();
let fresh: FreshDatabase;
let folder: string;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'millrace-delete-'));
  database = open();
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() => database.client.run.deleteMany());

const open = () => new Database({ url: fresh.url, service: 'runs', connections: 2 });

async function insert(): Promise<SplitRun> {
  const run = await insertSplitRun(database, { caller, folder, children: CHILDREN });
  await fillRun(database, run, CHILDREN);
  await database.client.dispatch.create({ data: { runId: run.run.id, segment: 0, worker: 'w-1' } });
  return run;
}

const hide = (...runs: SplitRun[]) =>
  database.transaction((tx) =>
    hideRuns(
      tx,
      runs.map(({ run }) => run.id),
    ),
  );

const isGone = async ({ run }: SplitRun) =>
  Object.values(await countRows(database, run.id)).every((count) => count === 0);

async function deleteAll(on = database): Promise<number> {
  for (let batches = 0; ; batches++) if (!(await deleteRows(on, BATCH))) return batches;
}

it('a deleted run goes with all of its rows, and other runs keep theirs', async () => {
  const [run, other] = [await insert(), await insert()];
  const before = await countRows(database, other.run.id);
  expect(Object.values(before)).not.toContain(0);
  expect(await hide(run)).toEqual([run.run.id]);
  await deleteAll();
  expect(await isGone(run)).toBe(true);
  expect(await countRows(database, other.run.id)).toEqual(before);
});

it('no batch deletes more rows than it may, and the run is the last row', async () => {
  const run = await insert();
  await hide(run);
  const total = async () => Object.values(await countRows(database, run.run.id)).reduce((sum, count) => sum + count, 0);
  for (let left = await total(); left > 0;) {
    expect((await countRows(database, run.run.id))['runs.run']).toBe(1);
    expect(await deleteRows(database, BATCH)).toBe(true);
    const now = await total();
    // The run's own row is not counted to the batch.
    expect(left - now).toBeLessThanOrEqual(BATCH + 1);
    expect(now).toBeLessThan(left);
    left = now;
  }
  expect(await deleteRows(database, BATCH)).toBe(false);
});

it('cached results go first, so that nobody reuses what is half deleted', async () => {
  const run = await insert();
  await hide(run);
  await deleteRows(database, CHILDREN);
  expect(await countRows(database, run.run.id)).toMatchObject({ 'runs.cache_entry': 0, 'runs.output': CHILDREN });
});

it('an interrupted deletion has deleted whole batches, and another process goes on', async () => {
  const run = await insert();
  await hide(run);
  const interrupted = new Database({ url: fresh.url, service: 'workflows', connections: 1 });
  for (let attempts = 0; attempts < 3; attempts++) {
    const work = deleteAll(interrupted).catch((error: unknown) => error);
    await fresh.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'millrace-workflows'`);
    await work;
  }
  await interrupted.close();
  const restarted = open();
  await deleteAll(restarted);
  await restarted.close();
  expect(await isGone(run)).toBe(true);
});

it('a batch that fails has no effect', async () => {
  const run = await insert();
  await hide(run);
  await deleteRows(database, BATCH);
  const before = await countRows(database, run.run.id);
  await fresh.query(`CREATE FUNCTION runs.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$`);
  await fresh.query(`CREATE TRIGGER fail BEFORE DELETE ON runs.output EXECUTE FUNCTION runs.fail()`);
  await expect(deleteAll()).rejects.toThrow('full');
  expect((await countRows(database, run.run.id))['runs.output']).toBe(before['runs.output']);
  await fresh.query('DROP TRIGGER fail ON runs.output');
  await deleteAll();
  expect(await isGone(run)).toBe(true);
});

it('several copies share the work, and none deletes a row of a run that another one has locked', async () => {
  const runs = [await insert(), await insert(), await insert(), await insert()];
  await hide(...runs);
  const others = [open(), open()];
  await Promise.all([deleteAll(), ...others.map((other) => deleteAll(other))]);
  for (const other of others) await other.close();
  await deleteAll();
  expect(await Promise.all(runs.map(isGone))).toEqual([true, true, true, true]);
});

it('a run is hidden once, only after its end, and its worker finds the dispatch gone', async () => {
  const [run, active] = [await insert(), await insert()];
  await database.client.run.update({ where: { id: active.run.id }, data: { finishedAt: null } });
  const hidden = await Promise.all([hide(run, active), hide(active, run)]);
  expect(hidden.flat()).toEqual([run.run.id]);
  expect(await database.client.dispatch.count({ where: { runId: run.run.id } })).toBe(0);
  await deleteAll();
  expect(await isGone(run)).toBe(true);
  expect((await countRows(database, active.run.id))['runs.subjob']).toBeGreaterThan(2 * CHILDREN);
});

it('a cached result that another run replaced in the meantime stays', async () => {
  const [run, other] = [await insert(), await insert()];
  await database.client.$executeRaw`
    UPDATE runs.cache_entry SET run_id = ${other.run.id} WHERE run_id = ${run.run.id} AND subjob_id % 2 = 0`;
  await hide(run);
  await deleteAll();
  expect((await countRows(database, other.run.id))['runs.cache_entry']).toBe(1.5 * CHILDREN);
});
