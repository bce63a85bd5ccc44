import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { STATUS_LETTERS } from '@millrace/contracts/runs/child-status-text';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { stopRun } from '../engine/stop/stop-run.js';
import { readChanges } from '../engine/transaction/stored-changes.js';
import { FakeWorkers } from '../testing/fake-workers.js';
import { splitWorkflow } from '../testing/insert-split-run.js';
import { SteppedEngine } from '../testing/stepped-engine.js';
import { readChildStatuses } from './read-child-statuses.js';

const CHILDREN = 30;

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

it('the statuses are exactly those after change `seq`, while reports arrive, a retry and a stop', async () => {
  const { id, plan } = await engine.start(splitWorkflow().data());
  const step = plan.plan.steps.findIndex(({ node }) => node === 'each-1');
  const group = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, step, task: 0 } });
  const workers = new FakeWorkers(
    plan,
    (_, task) => (task % 3 === 1 ? 'failed' : 'succeeded'),
    () => CHILDREN,
  );
  const readings: { seq: number; statuses: string }[] = [];
  let isReading = true;
  const reading = (async () => {
    while (isReading) {
      const page = await readChildStatuses(engine.database, { id }, group, { from: 1, limit: 1_000 });
      if (page && page.count > 0) readings.push(page);
    }
  })();
  const work = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const payload of await engine.dispatch(4)) {
        for (const report of workers.run(payload)) await engine.apply([report]);
      }
    }
  };
  await work(20);
  await engine.retry(id);
  await work(2);
  await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
  isReading = false;
  await reading;

  const rows = await engine.database.client.runChange.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
  const changes = rows.flatMap(({ changes: stored }) => readChanges(stored));
  const lettersAfter = (seq: number) => {
    const letters = Array.from({ length: CHILDREN }, () => 'P');
    for (const { node, task_index: index, status } of changes.slice(0, seq))
      if (node === 'each-1' && index !== undefined) letters[index - 1] = STATUS_LETTERS[status as SubjobStatus];
    return letters.join('');
  };
  expect(new Set(readings.map(({ seq }) => seq)).size).toBeGreaterThan(10);
  for (const { seq, statuses } of readings) expect([seq, statuses]).toEqual([seq, lettersAfter(seq)]);
});
