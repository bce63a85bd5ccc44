import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { Step } from '@millrace/graph/plan/plan';
import { draw, drawChain } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const MESSAGE =
  'The worker that ran this step (w, host h) stopped sending heartbeats at 1970-01-01T00:00:00.000Z; it was lost 4 times while this step ran';

const tasksOf = (runId: bigint, segment: number) =>
  engine.database.client.task.findMany({ where: { runId, segment }, orderBy: { index: 'asc' } });
const subjobOf = (runId: bigint, node: string, task = 0) =>
  engine.database.client.subjob.findFirstOrThrow({ where: { runId, node, task } });

const begin = (payload: DispatchPayload): Report => {
  const { index: task = 0, attempt = 0 } = payload.tasks[0] ?? {};
  return { type: 'started', dispatch: payload.dispatch, task, step: 0, attempt, at: 1 };
};

/** `each-1` has one child. It distributes its input itself, so its split is hidden. */
const distributing = draw()
  .script('lines-1')
  .script('each-1', { item: { type: 'STRING', order: 0 } }, { distribution: { input: 'item', mode: 'line' } })
  .script('all-1')
  .wire('lines-1.file', 'each-1.item')
  .wire('each-1.folder', 'all-1.folder')
  .data();

/** Runs a workflow to its end. Every worker is lost at a step, before or after it reports the start of that step. */
async function runAndLose(data: unknown, isLostAt: (step: Step) => boolean, hasReportedStart: boolean) {
  const { id, plan } = await engine.start(data);
  const workers = new FakeWorkers(plan, always('succeeded'), () => 1);
  for (let out = await engine.dispatch(); out.length > 0; out = await engine.dispatch()) {
    for (const payload of out) {
      const reports = workers.run(payload);
      const start = reports.findIndex((report) => 'step' in report && isLostAt(plan.step(report.step)));
      await engine.apply(start < 0 ? reports : reports.slice(0, hasReportedStart ? start + 1 : start));
      if (start >= 0) await engine.lose(payload);
    }
  }
  await engine.expectSettled(id);
  return id;
}

describe.each([
  ['after it reported the start of the step', true],
  ['before it reported the start of the step', false],
])('a task whose worker is lost four times, each time %s,', (_, hasReportedStart) => {
  it('fails its step and its run', async () => {
    const id = await runAndLose(drawChain(2).data(), ({ node }) => node === 'step-1', hasReportedStart);
    expect(await engine.statusesOf(id)).toEqual({ 'step-1': 'FAILED', 'step-2': 'SKIPPED' });
    expect(await subjobOf(id, 'step-1')).toMatchObject({ message: MESSAGE });
    expect(await engine.runOf(id)).toMatchObject({ status: 'FAILED', error: `step-1: ${MESSAGE}` });
  });

  it('fails the task group of its node if it is a hidden split', async () => {
    const isSplit = ({ program }: Step) => program.kind === 'split';
    const id = await runAndLose(distributing, isSplit, hasReportedStart);
    expect(await engine.statusesOf(id)).toEqual({ 'lines-1': 'SUCCEEDED', 'each-1': 'FAILED', 'all-1': 'SKIPPED' });
    expect(await subjobOf(id, 'each-1')).toMatchObject({ message: MESSAGE });
    expect(await subjobOf(id, 'all-1')).toMatchObject({ message: 'skipped: each-1 failed' });
    expect(await engine.runOf(id)).toMatchObject({ status: 'FAILED', error: `each-1: ${MESSAGE}` });
  });

  it('fails its child and the task group if it is a child', async () => {
    const isChild = ({ node, program }: Step) => node === 'each-1' && program.kind !== 'split';
    const id = await runAndLose(distributing, isChild, hasReportedStart);
    expect(await engine.statusesOf(id)).toMatchObject({ 'each-1#1': 'FAILED', 'each-1': 'FAILED', 'all-1': 'SKIPPED' });
    expect(await subjobOf(id, 'each-1', 1)).toMatchObject({ message: MESSAGE });
    expect(await engine.runOf(id)).toMatchObject({ status: 'FAILED' });
  });
});

describe('a lost worker', () => {
  it('ends an attempt of the task group whose hidden split it ran', async () => {
    const { id, plan } = await engine.start(distributing);
    const workers = new FakeWorkers(plan, always('succeeded'), () => 1);
    for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload));
    const [split] = await engine.dispatch();
    await engine.apply(workers.run(split!).slice(0, 1));
    await engine.lose(split!);
    expect(await subjobOf(id, 'each-1')).toMatchObject({ status: 'PENDING', attempt: 2 });
    expect(await engine.database.client.attempt.findMany({ where: { runId: id } })).toMatchObject([
      { attempt: 1, status: 'LOST' },
    ]);
    await engine.runToEnd(workers);
    expect(await subjobOf(id, 'each-1')).toMatchObject({ status: 'SUCCEEDED', taskCount: 1 });
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED' });
    await engine.expectSettled(id);
  });

  it('counts as a loss of the task that was running, and not of the tasks that waited behind it', async () => {
    const { id, plan } = await engine.start(distributing);
    const workers = new FakeWorkers(plan, always('succeeded'), () => 3);
    for (let round = 0; round < 2; round++) {
      for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload));
    }
    const segment = plan.plan.steps.find(({ node, type }) => node === 'each-1' && type !== 'SPLIT')?.segment ?? -1;
    await engine.dispatch(1);
    const [dispatch] = await engine.database.client.dispatch.findMany({ where: { runId: id } });
    // All three tasks are in one dispatch, and the first one is running.
    await engine.database.client.task.updateMany({
      where: { runId: id, segment },
      data: { state: 'QUEUED', dispatch: dispatch?.id ?? null },
    });
    await engine.lose({ dispatch: String(dispatch?.id) });
    expect((await tasksOf(id, segment)).map(({ state, losses }) => [state, losses])).toEqual([
      ['READY', 1],
      ['READY', 0],
      ['READY', 0],
    ]);
    await engine.runToEnd(workers);
    expect((await engine.runOf(id)).status).toBe('COMPLETED');
  });

  it('no longer counts as a loss when the next step of the chain starts', async () => {
    const { id, plan } = await engine.start(drawChain(2).data());
    const losses = async () => (await tasksOf(id, 0))[0]?.losses;
    for (let loss = 0; loss < 3; loss++) {
      const [payload] = await engine.dispatch();
      await engine.apply([begin(payload!)]);
      await engine.lose(payload!);
    }
    expect(await losses()).toBe(3);
    const [payload] = await engine.dispatch();
    const reports = new FakeWorkers(plan, always('succeeded'), () => 0).run(payload!);
    await engine.apply(reports.slice(0, 3));
    expect(await losses()).toBe(0);
    await engine.lose(payload!);
    expect(await losses()).toBe(1);
  });
});
