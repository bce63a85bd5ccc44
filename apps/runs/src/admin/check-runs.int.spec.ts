import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import type { RunsEnv } from '../env.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';
import { runsChecks } from './checks.js';

let fresh: FreshDatabase;
let database: Database;
let folder: string;
/** A run that is consistent, and one that the tests damage. */
let good: SplitRun;
let bad: SplitRun;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
  folder = await mkdtemp(join(tmpdir(), 'checks-'));
  [good, bad] = [await insert(), await insert()];
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  await rm(folder, { recursive: true });
});

/** A run whose counters are right, because its rows were not written by the engine. */
async function insert(): Promise<SplitRun> {
  const run = await insertSplitRun(database, { caller: ownerCaller(), folder, children: 3 });
  await fresh.query(
    `UPDATE runs.run SET pending = 0, running = 0, status = 'COMPLETED', finished_at = now(), succeeded = (
       SELECT count(*) FROM runs.subjob s WHERE s.run_id = run.id AND (s.task > 0 OR coalesce(s.task_count, 0) = 0))
     WHERE id = $1`,
    [run.id],
  );
  await fresh.query(`UPDATE runs.task SET state = 'DONE' WHERE run_id = $1`, [run.id]);
  return run;
}

/** The checks that find something, with what they find. */
async function findViolations(): Promise<Record<string, string[]>> {
  const env = { STORAGE_DIR: folder } as RunsEnv;
  const found: Record<string, string[]> = {};
  // Runs that ended less than ten minutes ago are not compared with the ledger, so nothing is called.
  for (const check of runsChecks(env)) {
    const ids = await check.findViolations({ database, rpc: undefined as unknown as RpcClient, limit: 100 });
    if (ids.length > 0) found[check.name] = ids;
  }
  return found;
}

const ENDED = 'A run that has ended';

it('nothing is found in consistent runs', async () => {
  expect(await findViolations()).toEqual({});
  expect(good.id).not.toBe(bad.id);
});

it.each([
  [
    'has a task that is not done',
    `UPDATE runs.task SET state = 'READY' WHERE run_id = $1`,
    'has no task that is not done',
  ],
  ['counts a subjob too many', 'UPDATE runs.run SET succeeded = succeeded + 1 WHERE id = $1', 'counts its subjobs'],
  ['counts bytes that it does not store', 'UPDATE runs.run SET stored_bytes = 9 WHERE id = $1', 'counts the bytes'],
])('a run that %s is found, and no other', async (_, damage, name) => {
  await fresh.query(damage, [bad.id]);
  const found = Object.entries(await findViolations()).filter(([check]) => check.startsWith(`${ENDED} ${name}`));
  expect(found).toEqual([[expect.any(String), [bad.id]]]);
});

it('a run that nothing drives is found', async () => {
  await fresh.query(`UPDATE runs.task SET state = 'DONE' WHERE run_id = $1`, [bad.id]);
  await fresh.query(`UPDATE runs.run SET finished_at = NULL, status = 'RUNNING' WHERE id = $1`, [bad.id]);
  expect(await findViolations()).toMatchObject({ 'A run that has not ended can progress': [bad.id] });
});

it('an output whose object is not stored is found', async () => {
  const { sha256 } = await new DiskStore(folder).put(Buffer.from('stored'));
  const missing = 'f'.repeat(64);
  for (const hash of [sha256, missing]) {
    await fresh.query(
      `INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256)
       SELECT $1, run_id, id, step, task, node, label, 'a.txt', 6, $3 FROM runs.subjob WHERE run_id = $2 LIMIT 1`,
      [newId(), good.id, hash],
    );
  }
  const found = await findViolations();
  expect(found['Objects of outputs are stored (newest and oldest 1,000 outputs)']).toEqual([missing]);
});
