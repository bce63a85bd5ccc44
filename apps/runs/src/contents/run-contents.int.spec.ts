import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiveReports } from '@millrace/contracts/runs/engine';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';
import { ContentsCollector } from './contents-collector.js';

const QUOTA = 10_000;

let system: SystemWithStore;
let database: Database;
let store: DiskStore;
let worker: FakeService;
let collector: ContentsCollector;
beforeAll(async () => {
  system = await startWithStore([start], { STORAGE_QUOTA: String(QUOTA) });
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  store = new DiskStore(system.folder);
  collector = new ContentsCollector(database, store, 0);
  worker = await system.fake('worker');
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** Starts a run of one node with two retries, and dispatches it to worker `w-1`. */
async function begin(vaultId = newId()): Promise<{ run: Run; dispatch: string }> {
  const data = { nodes: { 'a-1': { type: 'SCRIPT', script: { source: newId() }, retries: 2 } } };
  const plan = await new PlanStore(store).save(compilePlan(data, {}));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const run = await database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow, vaultId, author: newId(), name: 'r', version: newId() },
      ...{ inputs: {}, creationType: 'MANUAL', status: 'PENDING', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null },
    }),
  );
  const { id } = await database.client.dispatch.create({ data: { runId: run.id, segment: 0, worker: 'w-1' } });
  await database.client.task.updateMany({ where: { runId: run.id }, data: { state: 'QUEUED', dispatch: id } });
  return { run, dispatch: String(id) };
}

/** Reports the end of the run's only step, with one output and one log. @returns its subjob */
async function report({ run, dispatch }: { run: Run; dispatch: string }, output: string, log: string) {
  const toFile = (text: string) => ({
    sha256: createHash('sha256').update(text).digest('hex'),
    size: Buffer.byteLength(text),
  });
  const finished: FinishedReport = {
    ...{ type: 'finished', dispatch, task: 0, attempt: 1, step: 0, at: Date.now(), startedAt: Date.now() - 50 },
    ...{ outcome: 'succeeded', exitCode: 0, message: null, params: {}, cpuMs: 1, maxRssBytes: 7, split: null },
    outputs: { files: [{ path: 'output.txt', ...toFile(output) }] },
    ...{ stdout: { ...toFile(log), truncated: false }, stderr: null },
  };
  await worker.call(receiveReports, { worker: 'w-1', reports: [finished, { type: 'closed', dispatch }] });
  return database.client.subjob.findFirstOrThrow({ where: { runId: run.id } });
}

const put = (...texts: string[]) => Promise.all(texts.map((text) => store.put(Buffer.from(text))));
const storedBytes = async (vault: string) => {
  const [row] = await system.database.query<{ bytes: string }>('SELECT runs.stored_bytes_of($1) AS bytes', [vault]);
  return Number(row?.bytes);
};
const markGone = (sha256: string) =>
  system.database.query(`INSERT INTO contents.unused (sha256, state, gone_at) VALUES ($1, 'GONE', now())`, [sha256]);

/** The references are checked when all transactions that are open now have ended. */
const expectDeleted = (...hashes: string[]) =>
  eventually(async () => {
    await collector.collect();
    expect(await Promise.all(hashes.map((sha256) => store.has(sha256)))).toEqual(hashes.map(() => false));
  });

describe('the contents of a run', () => {
  it('count to the usage of its vault, and are deleted after the run', async () => {
    const started = await begin();
    const stored = await put('an output', 'a log');
    const { plan } = started.run;
    await report(started, 'an output', 'a log');
    await collector.collect();
    const all = [...stored.map(({ sha256 }) => sha256), plan];
    expect(await Promise.all(all.map((sha256) => store.has(sha256)))).toEqual([true, true, true]);
    expect(await storedBytes(started.run.vaultId)).toBe(14);
    await database.client.run.delete({ where: { id: started.run.id } });
    expect(await storedBytes(started.run.vaultId)).toBe(0);
    await expectDeleted(...all);
  });

  it('stay as long as another run has them', async () => {
    const [first, second] = [await begin(), await begin()];
    const [shared] = await put('shared', 'log');
    await report(first, 'shared', 'log');
    await report(second, 'shared', 'log');
    await database.client.run.delete({ where: { id: first.run.id } });
    await collector.collect();
    expect(await store.has(shared!.sha256)).toBe(true);
    await database.client.run.delete({ where: { id: second.run.id } });
    await expectDeleted(shared!.sha256);
  });

  it('let their step run again if they were deleted before the report, without using a retry', async () => {
    const started = await begin();
    const [output] = await put('deleted', 'kept log');
    await markGone(output!.sha256);
    await store.remove(output!.sha256);
    const subjob = await report(started, 'deleted', 'kept log');
    expect(subjob).toMatchObject({ status: 'PENDING', attempt: 1, message: expect.stringContaining('was deleted') });
    const task = await database.client.task.findFirstOrThrow({ where: { runId: started.run.id } });
    expect(task).toMatchObject({ attempt: 2, failures: 0 });
    expect(await database.client.output.count({ where: { runId: started.run.id } })).toBe(0);
  });

  it('are accepted if they were deleted once, and have been stored again', async () => {
    const started = await begin();
    const [output] = await put('stored again', 'log again');
    await markGone(output!.sha256);
    expect(await report(started, 'stored again', 'log again')).toMatchObject({ status: 'SUCCEEDED' });
    await collector.collect();
    expect(await store.has(output!.sha256)).toBe(true);
  });
});

describe('a step whose result exceeds the storage quota', () => {
  it('fails without a retry, and keeps its log but no output', async () => {
    const started = await begin();
    const large = 'x'.repeat(QUOTA);
    await put(large, 'small log');
    const subjob = await report(started, large, 'small log');
    expect(subjob).toMatchObject({ status: 'FAILED', outputs: 0, stdout: { size: 9 } });
    expect(subjob.message).toBe(
      'the outputs and logs of the step (10009 bytes) exceed the storage quota of the vault (0 of 10000 bytes are used); delete runs or files',
    );
    expect(await storedBytes(started.run.vaultId)).toBe(9);
  });

  it('may use the quota to the last byte, which other runs and files share', async () => {
    const vault = newId();
    const [first, second, third] = [await begin(vault), await begin(vault), await begin(vault)];
    const half = 'y'.repeat(QUOTA / 2 - 1);
    await put(half, 'l', `${half}!`);
    expect(await report(first, half, 'l')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await report(second, `${half}!`, 'l')).toMatchObject({ status: 'FAILED', stdout: { size: 1 } });
    expect(await report(third, half.slice(1), 'l')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await storedBytes(vault)).toBe(QUOTA);
    await collector.collect();
    expect(await storedBytes(vault)).toBe(QUOTA);
  });
});
