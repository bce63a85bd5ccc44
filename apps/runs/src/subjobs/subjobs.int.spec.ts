import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getSubjob, listSubjobs, readLogs, stopSubjob } from '@millrace/contracts/runs/subjobs';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';

let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

it('the filter by node finds the node and nodes inside it, and no nodes with a similar name', async () => {
  const caller = ownerCaller();
  const nodes = ['a_b', 'a_b/in', 'axb', 'axb/in', String.raw`a\b/in`, 'a%/in'];
  const script = { type: 'SCRIPT', script: { source: 'x' } };
  // The plan has as many steps; their names are replaced.
  const data = { nodes: Object.fromEntries(['own', ...nodes].map((_, n) => [`a-${n + 1}`, script])) };
  const plan = await new PlanStore(new DiskStore(system.folder)).save(compilePlan(data, {}));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const { id } = await database.transaction(async (tx) => {
    const run = await insertRun(tx, {
      ...{ plan, workflow, vaultId: caller.vault, author: caller.user, name: 'r', version: newId(), inputs: {} },
      ...{ creationType: 'MANUAL', status: 'PENDING', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null, fetching: false },
    });
    await tx.run.update({ where: { id: run.id }, data: { status: 'STOPPED' } });
    for (const [step, node] of nodes.entries()) {
      await tx.subjob.updateMany({ where: { runId: run.id, step: step + 1 }, data: { node, status: 'STOPPED' } });
    }
    return run;
  });
  const nodesAt = async (node: string) => {
    const { results } = await system.callAs(caller, listSubjobs, { params: { id: String(id) }, query: { node } });
    return results.map((subjob) => subjob.node).sort();
  };
  expect(await nodesAt('a_b')).toEqual(['a_b', 'a_b/in']);
  expect(await nodesAt('axb')).toEqual(['axb', 'axb/in']);
  expect(await nodesAt(String.raw`a\b`)).toEqual([String.raw`a\b/in`]);
  expect(await nodesAt('a%')).toEqual(['a%/in']);
});

const LOG = { sha256: 'a'.repeat(64), size: 7, truncated: false };

it('a subjob lists its attempts, and the number of attempts that it may have', async () => {
  const caller = ownerCaller();
  const data = { nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'x' }, retries: 2 } } };
  const plan = await new PlanStore(new DiskStore(system.folder)).save(compilePlan(data, {}));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const subjob = await database.transaction(async (tx) => {
    const run = await insertRun(tx, {
      ...{ plan, workflow, vaultId: caller.vault, author: caller.user, name: 'r', version: newId(), inputs: {} },
      ...{
        creationType: 'MANUAL',
        status: 'PENDING',
        parallelism: 1,
        timeoutSeconds: null,
        origin: null,
        schedule: null,
      },
    });
    const { id } = await tx.subjob.findFirstOrThrow({ where: { runId: run.id } });
    const attempt = { runId: run.id, subjobId: id, worker: 'w' };
    const failed = { status: 'FAILED', message: 'exit code 4', cpuMs: 0.2, stderr: LOG };
    await tx.attempt.create({ data: { ...attempt, ...failed, attempt: 1 } });
    await tx.attempt.create({ data: { ...attempt, attempt: 2, status: 'LOST' } });
    return tx.subjob.update({ where: { id }, data: { attempt: 3, status: 'FAILED', message: 'exit code 5' } });
  });
  const params = { id: String(subjob.runId), subjobId: String(subjob.id) };
  const record = await system.callAs(caller, getSubjob, { params });
  expect(record).toMatchObject({ attempt: 3, max_attempts: 4, message: 'exit code 5' });
  expect(record.attempts).toEqual([
    { attempt: 1, status: 'FAILED', message: 'exit code 4', worker: 'w', cpu_ms: 1 },
    { attempt: 2, status: 'LOST', worker: 'w' },
    { attempt: 3, status: 'FAILED', message: 'exit code 5' },
  ]);
  const logs = (attempt?: number) =>
    system.callAs(caller, readLogs, { params, query: { stream: 'stderr', ...(attempt !== undefined && { attempt }) } });
  expect(await logs(1)).toEqual({ state: 'stored', attempt: 1, stored: LOG });
  expect(await logs(2)).toEqual({ state: 'none', attempt: 2 });
  expect(await logs()).toEqual({ state: 'none', attempt: 3 });
  for (const attempt of [0, 4]) {
    const message = `Attempt ${attempt} of subjob ${params.subjobId} does not exist; the last attempt is 3.`;
    await expect(logs(attempt)).rejects.toMatchObject({ code: 'not_found', message });
  }
  expect(await system.callAs(caller, stopSubjob, { params })).toMatchObject({ status: 'FAILED', max_attempts: 4 });
});

describe('a stop of a subjob', () => {
  it.each([
    ['PENDING', 'STOPPED', 1],
    ['RUNNING', 'STOPPING', 1],
    ['STOPPING', 'STOPPING', 0],
    ['SUCCEEDED', 'SUCCEEDED', 0],
    ['FAILED', 'FAILED', 0],
  ])('that is %s makes it %s, and is published %d times for the audit log', async (status, expected, times) => {
    const caller = ownerCaller();
    const nodes = {
      'a-1': { type: 'SCRIPT', script: { source: 'x' } },
      'b-1': { type: 'SCRIPT', script: { source: 'y' } },
    };
    const plan = await new PlanStore(new DiskStore(system.folder)).save(compilePlan({ nodes }, {}));
    const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
    const run = await database.transaction((tx) =>
      insertRun(tx, {
        ...{ plan, workflow, vaultId: caller.vault, author: caller.user, name: 'r', version: newId(), inputs: {} },
        ...{ creationType: 'MANUAL', status: 'SUBMITTED', parallelism: 1, timeoutSeconds: null },
        ...{ origin: null, schedule: null },
      }),
    );
    const { id } = await database.client.subjob.findFirstOrThrow({ where: { runId: run.id, node: 'a-1' } });
    await database.client.subjob.update({ where: { id }, data: { status } });
    const params = { id: String(run.id), subjobId: String(id) };
    expect(await system.callAs(caller, stopSubjob, { params })).toMatchObject({ status: expected });
    const published = await database.client.outbox.findMany({ where: { name: 'runs.run.controlled' } });
    const own = published.map(({ payload }) => payload as { run: string }).filter((event) => event.run === params.id);
    const details = { subjob: params.subjobId, node: 'a-1' };
    expect(own).toMatchObject(
      Array.from({ length: times }, () => ({ action: 'subjob.stopped', user: caller.user, details })),
    );
    const { stoppedBy } = await database.client.run.findUniqueOrThrow({ where: { id: run.id } });
    expect(stoppedBy).toBe(times > 0 ? caller.user : null);
  });
});
