import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getRun, runEvents, stopRun } from '@millrace/contracts/runs/runs';
import { listSubjobs, stopSubjob } from '@millrace/contracts/runs/subjobs';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { insertSplitRun, type SplitRun } from '../../testing/insert-split-run.js';

/** Each has two subjobs: together they are too many for the request, and need two pieces. */
const CHILDREN = 12_000;
const caller = ownerCaller();
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

/** A run whose children wait for a worker. */
async function insertWaiting(): Promise<SplitRun> {
  const split = await insertSplitRun(database, { caller, folder: system.folder, children: CHILDREN });
  const { id } = split.run;
  const segments = split.plan.segments.filter(({ scope }) => scope !== null).map(({ index }) => index);
  await database.client.$executeRaw`
    UPDATE runs.subjob SET status = CASE WHEN task_count > 0 THEN 'RUNNING' ELSE 'PENDING' END, finished_at = NULL
    WHERE run_id = ${id} AND (task > 0 OR task_count > 0 OR step = ${split.step('all-1')})`;
  await database.client.$executeRaw`
    UPDATE runs.segment SET total = ${CHILDREN}::int WHERE run_id = ${id} AND segment = ANY(${segments}::int[])`;
  await database.client.$executeRaw`
    INSERT INTO runs.task (run_id, segment, index, state)
    SELECT ${id}, s, n, 'WAITING' FROM unnest(${segments}::int[]) s, generate_series(1, ${CHILDREN}::int) n`;
  const ended = ['lines-1', 'split-1'].map((node) => split.plan.steps[split.step(node)]?.segment);
  await database.client.$executeRaw`
    UPDATE runs.task SET state = 'DONE', outcome = 'SUCCEEDED' WHERE run_id = ${id} AND segment = ANY(${ended}::int[])`;
  await database.client.$executeRaw`
    UPDATE runs.segment SET settled = 1 WHERE run_id = ${id} AND segment = ANY(${ended}::int[])`;
  await database.client.run.update({
    where: { id },
    data: { status: 'RUNNING', finishedAt: null, pending: 2 * CHILDREN + 1, succeeded: 2, openSegments: 2 },
  });
  return split;
}

it('a run with very many children is stopped after the response, and publishes each change', async () => {
  const { id } = await insertWaiting();
  const params = { id };
  const stopping = await system.callAs(caller, stopRun, { params });
  expect(stopping).toMatchObject({
    status: 'STOPPING',
    finished: false,
    run_insights: { pending: 2 * CHILDREN, stopped: 1 },
  });
  await eventually(async () => {
    const run = await system.callAs(caller, getRun, { params });
    expect(run).toMatchObject({ status: 'STOPPED', run_insights: { pending: 0, stopped: 2 * CHILDREN + 1 } });
  });
  const subjects = new Set<string>();
  for (let after = 0, more = true; more;) {
    const page = await system.callAs(caller, runEvents, { params, query: { after } });
    for (const { seq, change } of page.changes) {
      expect(seq).toBe(++after);
      if (change.task_index !== undefined) subjects.add(`${change.subject} ${change.status}`);
    }
    more = page.more;
  }
  expect(subjects.size).toBe(2 * CHILDREN);
  expect(await database.client.task.count({ where: { runId: BigInt(id), state: { not: 'DONE' } } })).toBe(0);
});

it('a task group with very many children is stopped after the response', async () => {
  const split = await insertWaiting();
  const { id } = split;
  const { results } = await system.callAs(caller, listSubjobs, { params: { id }, query: { node: 'each-1' } });
  const params = { id, subjobId: results[0]?.id ?? '' };
  await system.callAs(caller, stopSubjob, { params });
  const ended = () =>
    database.client.subjob.count({
      where: { runId: BigInt(id), step: split.step('each-1'), task: { gt: 0 }, status: 'STOPPED' },
    });
  expect(await ended()).toBeLessThan(CHILDREN);
  await eventually(async () => expect(await ended()).toBe(CHILDREN));
  await eventually(async () => {
    const run = await system.callAs(caller, getRun, { params: { id } });
    expect(run).toMatchObject({
      finished: true,
      run_insights: { pending: 0, stopped: CHILDREN, skipped: CHILDREN + 1 },
    });
  });
});
