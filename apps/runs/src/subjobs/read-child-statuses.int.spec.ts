import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DURATION_DIGITS, DURATION_STEPS } from '@millrace/contracts/runs/child-status-text';
import { listChildStatuses, MAX_CHILD_STATUSES } from '@millrace/contracts/runs/child-statuses';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun } from '../testing/insert-split-run.js';

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

/** Durations as the description of the operation says. */
const decode = (durations: string) =>
  (durations.match(/../g) ?? []).map((pair) => {
    if (pair === '..') return null;
    const [high, low] = [...pair].map((digit) => DURATION_DIGITS.indexOf(digit));
    return Math.round(Math.exp(((high ?? 0) * 64 + (low ?? 0)) / DURATION_STEPS) - 1);
  });

async function insertGroup(children: number) {
  const caller = ownerCaller();
  const split = await insertSplitRun(database, { caller, folder: system.folder, children });
  const { run, id } = split;
  const at = { runId: run.id, step: split.step('each-1') };
  const group = await database.client.subjob.findFirstOrThrow({ where: { ...at, task: 0 } });
  const read = (query: { from?: number; limit?: number } = {}, subjobId = String(group.id)) =>
    system.callAs(caller, listChildStatuses, { params: { id, subjobId }, query });
  return { run, at, read };
}

it('each child has a letter and a duration, and `seq` is the last change of the run', async () => {
  const { run, at, read } = await insertGroup(8);
  const started = new Date('2026-01-01T00:00:00Z');
  const rows = [
    { status: 'PENDING', startedAt: null, finishedAt: null },
    { status: 'RUNNING', startedAt: new Date(Date.now() - 60_000), finishedAt: null },
    { status: 'SUCCEEDED', startedAt: started, finishedAt: started },
    { status: 'FAILED', startedAt: started, finishedAt: new Date(started.getTime() + 1) },
    { status: 'STOPPING', startedAt: new Date(Date.now() - 60_000), finishedAt: null },
    { status: 'STOPPED', startedAt: null, finishedAt: started },
    { status: 'SKIPPED', startedAt: started, finishedAt: new Date(started.getTime() + 86_400_000) },
    // It waits for another attempt, and has the times of the previous one.
    { status: 'PENDING', startedAt: started, finishedAt: new Date(started.getTime() + 500) },
  ];
  for (const [index, data] of rows.entries()) {
    await database.client.subjob.updateMany({ where: { ...at, task: index + 1 }, data });
  }
  await database.client.run.update({ where: { id: run.id }, data: { changeSeq: 4711 } });
  const { statuses, durations, ...rest } = await read();
  expect(rest).toEqual({ seq: 4711, at: expect.any(String), count: 8, from: 1, next: null });
  expect(statuses).toBe('PRSFGTKP');
  const decoded = decode(durations);
  expect(decoded.filter((_, index) => ![1, 4, 6].includes(index))).toEqual([null, 0, 1, null, null]);
  for (const index of [1, 4]) expect(Math.abs((decoded[index] ?? 0) - 60_000)).toBeLessThan(2_000);
  expect(Math.abs((decoded[6] ?? 0) / 86_400_000 - 1)).toBeLessThan(0.003);

  expect(await read({ from: 3, limit: 2 })).toMatchObject({ from: 3, statuses: 'SF', next: 5 });
  expect(await read({ from: 7, limit: 2 })).toMatchObject({ from: 7, statuses: 'KP', next: null });
  expect(await read({ from: 3, limit: 0 })).toMatchObject({ from: 3, statuses: '', next: 3 });
  expect(await read({ from: 9 })).toMatchObject({ statuses: '', next: null });
  const child = await database.client.subjob.findFirstOrThrow({ where: { ...at, task: 3 } });
  expect(await read({}, String(child.id))).toMatchObject({ count: 0, statuses: '', next: null });
});

it('100,000 children are one response of less than 300 kB', async () => {
  const { read } = await insertGroup(100_001);
  const response = await read();
  expect(response).toMatchObject({ count: 100_001, next: 100_001 });
  expect(response.statuses).toBe('S'.repeat(MAX_CHILD_STATUSES));
  expect(JSON.stringify(response).length).toBeLessThan(300_500);
  expect(await read({ from: 100_001 })).toMatchObject({ statuses: 'S', next: null });
});
