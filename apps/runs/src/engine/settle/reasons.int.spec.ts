import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Report } from '@millrace/contracts/runs/report';
import type { runFinished } from '@millrace/contracts/runs/runs';
import { draw, drawChain, label } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers, type Outcome } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const subjobOf = (runId: bigint, node: string, task = 0) =>
  engine.database.client.subjob.findFirstOrThrow({ where: { runId, node, task } });
const attemptsOf = (runId: bigint) =>
  engine.database.client.attempt.findMany({ where: { runId }, orderBy: { attempt: 'asc' } });

/** Failed reports with a message of the test's choice. */
const failWith =
  (message: (task: number) => string) =>
  (report: Report): Report =>
    report.type === 'finished' && report.outcome === 'failed' ? { ...report, message: message(report.task) } : report;

const retried = (retries: number) => {
  const chain = drawChain(2);
  Object.assign(chain.nodes['step-1'] ?? {}, { retries });
  return chain.data();
};

const lines = draw()
  .script('lines-1')
  .splitter('split-1')
  .script('each-1', { item: { type: 'STRING', order: 0 } })
  .script('then-1')
  .script('all-1')
  .script('after-1', {}, label('after'))
  .wire('lines-1.file', 'split-1.multiple')
  .wire('split-1.output', 'each-1.item')
  .wire('each-1.file', 'then-1.file')
  .wire('then-1.folder', 'all-1.folder')
  .wire('all-1.file', 'after-1.file')
  .data();

describe('a retried attempt', () => {
  it('keeps its own record, and the message of the subjob names it', async () => {
    const { id, plan } = await engine.start(retried(2));
    const workers = new FakeWorkers(
      plan,
      ({ node }): Outcome => (node === 'step-1' ? 'failed' : 'succeeded'),
      () => 0,
    );
    const [first] = await engine.dispatch();
    await engine.apply(workers.run(first!).map(failWith(() => 'exit code 4: no such host')));
    expect(await subjobOf(id, 'step-1')).toMatchObject({
      ...{ status: 'PENDING', attempt: 2, message: 'attempt 1 of 3 failed: exit code 4: no such host' },
      ...{ exitCode: null, stdout: null },
    });
    const [second] = await engine.dispatch();
    await engine.apply(workers.run(second!).slice(0, 1));
    expect(await subjobOf(id, 'step-1')).toMatchObject({ status: 'RUNNING', attempt: 2, message: null });
    await engine.apply(workers.run(second!).map(failWith(() => 'exit code 5')));
    const [third] = await engine.dispatch();
    await engine.apply(workers.run(third!).map(failWith(() => 'timed out after 1 s')));
    expect(await subjobOf(id, 'step-1')).toMatchObject({
      ...{ status: 'FAILED', attempt: 3, message: 'timed out after 1 s' },
    });
    expect(await attemptsOf(id)).toMatchObject([
      { attempt: 1, status: 'FAILED', message: 'exit code 4: no such host', exitCode: 1, worker: 'w' },
      { attempt: 2, status: 'FAILED', message: 'exit code 5', exitCode: 1 },
    ]);
    await engine.expectSettled(id);
  });

  it('does not use up retries of later steps', async () => {
    const { id, plan } = await engine.start(retried(1));
    const fate = ({ node }: { node: string }, _task: number, attempt: number): Outcome =>
      node === 'step-1' && attempt === 1 ? 'failed' : 'succeeded';
    await engine.runToEnd(new FakeWorkers(plan, fate, () => 0));
    expect([await subjobOf(id, 'step-1'), await subjobOf(id, 'step-2')]).toMatchObject([
      { status: 'SUCCEEDED', attempt: 2, message: null },
      { status: 'SUCCEEDED', attempt: 1 },
    ]);
  });

  it('has the status LOST if its worker was lost', async () => {
    const { id, plan } = await engine.start(drawChain(1).data());
    const workers = new FakeWorkers(plan, always('succeeded'), () => 0);
    const [payload] = await engine.dispatch();
    await engine.apply(workers.run(payload!).slice(0, 1));
    await engine.lose(payload!);
    await engine.runToEnd(workers);
    const message = 'The worker that ran this step (w, host h) stopped sending heartbeats at 1970-01-01T00:00:00.000Z';
    expect(await attemptsOf(id)).toMatchObject([{ attempt: 1, status: 'LOST', worker: 'w', message }]);
    expect(await subjobOf(id, 'step-1')).toMatchObject({ status: 'SUCCEEDED', attempt: 2 });
  });

  it('is deleted with its run', async () => {
    const { id, plan } = await engine.start(retried(1));
    await engine.runToEnd(new FakeWorkers(plan, always('failed'), () => 0));
    expect(await attemptsOf(id)).toHaveLength(1);
    await engine.database.client.run.delete({ where: { id } });
    expect(await attemptsOf(id)).toHaveLength(0);
  });
});

describe('a task group', () => {
  const runLines = async (fate: (task: number) => Outcome, message: (task: number) => string, items: number) => {
    const { id, plan } = await engine.start(lines);
    const workers = new FakeWorkers(
      plan,
      ({ node }, task) => (node === 'each-1' ? fate(task) : 'succeeded'),
      () => items,
    );
    for (let out = await engine.dispatch(); out.length > 0; out = await engine.dispatch()) {
      for (const payload of out) await engine.apply(workers.run(payload).map(failWith(message)));
    }
    await engine.expectSettled(id);
    return id;
  };

  it('names the most frequent reasons of its failed children, and dependent nodes name its node', async () => {
    const message = (task: number) => (task === 1 ? 'timed out after 30 s' : 'exit code 4: no such host');
    const id = await runLines((task) => (task <= 3 ? 'failed' : 'succeeded'), message, 5);
    expect((await subjobOf(id, 'each-1')).message).toBe(
      '3 of 5 failed: exit code 4: no such host (2), timed out after 30 s (1)',
    );
    const skipped = 'skipped: each-1 failed';
    expect(await subjobOf(id, 'then-1', 2)).toMatchObject({ status: 'SKIPPED', message: skipped });
    expect(await subjobOf(id, 'then-1', 5)).toMatchObject({ status: 'SUCCEEDED', message: null });
    expect(await subjobOf(id, 'then-1')).toMatchObject({ status: 'SKIPPED', message: skipped });
    expect(await subjobOf(id, 'all-1')).toMatchObject({ status: 'SKIPPED', message: skipped });
    expect(await subjobOf(id, 'after-1')).toMatchObject({ status: 'SKIPPED', message: skipped });
  });

  it('shows one message if its children fail for the same reason with different messages', async () => {
    const id = await runLines(
      () => 'failed',
      (task) => `exit code 4: no host ${task}`,
      4,
    );
    expect((await subjobOf(id, 'each-1')).message).toBe('4 of 4 failed: exit code 4 (4; task 1: no host 1)');
  });

  it('is counted as its children, and not as a subjob of its own', async () => {
    const id = await runLines(
      (task) => (task <= 3 ? 'failed' : 'succeeded'),
      () => 'exit code 4',
      5,
    );
    // lines-1, split-1, 5 children of each-1 and 5 of then-1, all-1, after-1.
    expect(await engine.runOf(id)).toMatchObject({ succeeded: 2 + 2 + 2, failed: 3, skipped: 3 + 2, pending: 0 });
  });

  it('is counted as one subjob if it has no children', async () => {
    const id = await runLines(
      () => 'succeeded',
      () => '',
      0,
    );
    expect(await engine.runOf(id)).toMatchObject({ succeeded: 6, failed: 0, skipped: 0, pending: 0 });
  });
});

it('a failed run names the nodes that failed first, in its error and in runs.run.finished', async () => {
  const drawn = draw();
  for (const name of ['a-1', 'b-1', 'c-1', 'd-1', 'e-1', 'f-1']) drawn.script(name);
  const { id, plan } = await engine.start(drawn.data());
  const workers = new FakeWorkers(plan, always('failed'), () => 0);
  for (let out = await engine.dispatch(); out.length > 0; out = await engine.dispatch()) {
    for (const payload of out) {
      await engine.apply(workers.run(payload).map(failWith(() => 'exit code 4: no such host')));
    }
  }
  const { error } = await engine.runOf(id);
  expect(error).toMatch(/^(\w-1: exit code 4: no such host; ){3}and 3 more nodes failed$/);
  const ends = await engine.database.client.outbox.findMany({ where: { name: 'runs.run.finished' } });
  const end = ends.map(({ payload }) => payload as unknown as Payload<typeof runFinished>);
  const { failures, failedNodes } = end.find(({ run }) => run === String(id)) ?? {};
  expect([failures?.length, failedNodes]).toEqual([5, 6]);
  const { node, subjob } = failures![0]!;
  expect(failures![0]).toEqual({
    ...{ node, subjob, label: node.replace('-1', ''), reason: 'exit code 4: no such host' },
  });
  expect(String((await subjobOf(id, node)).id)).toBe(subjob);
});
