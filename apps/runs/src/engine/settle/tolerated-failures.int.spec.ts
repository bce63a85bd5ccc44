import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Plan, Step } from '@millrace/graph/plan/plan';
import { draw, label } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { FakeWorkers, type Outcome } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import { skipSubjob } from '../retry/retry-run.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const items = draw()
  .script('lines-1')
  .splitter('split-1')
  .script('each-1', { item: { type: 'STRING', order: 0 } })
  .script('also-1')
  .script('then-1')
  .script('all-1')
  .script('beside-1', {}, label('beside'))
  .wire('lines-1.file', 'split-1.multiple')
  .wire('split-1.output', 'each-1.item')
  .wire('each-1.file', 'then-1.file')
  .wire('each-1.file', 'also-1.file')
  .wire('then-1.folder', 'all-1.folder')
  .data();

/** Sets fields of the step of one node. */
const withStep =
  (node: string, fields: Partial<Step>) =>
  (plan: Plan): Plan => ({
    ...plan,
    steps: plan.steps.map((step) => (step.node === node ? { ...step, ...fields } : step)),
  });

/** Fails these children of `each-1`. */
const failing =
  (...tasks: number[]) =>
  ({ node }: Step, task: number): Outcome =>
    node === 'each-1' && tasks.includes(task) ? 'failed' : 'succeeded';

async function run(adapt: (plan: Plan) => Plan, outcomeOf: (step: Step, task: number) => Outcome, count = 10) {
  const { id, plan } = await engine.start(items, {}, {}, adapt);
  const workers = new FakeWorkers(plan, outcomeOf, () => count);
  await engine.runToEnd(workers);
  await engine.expectSettled(id);
  await engine.expectCurrent(id, plan, workers);
  return { id, plan, workers, run: await engine.runOf(id), statuses: await engine.statusesOf(id) };
}

describe('a node with on_error: continue', () => {
  it('leaves out the failed children, and the run completes with failures', async () => {
    const { run: ended, statuses } = await run(withStep('each-1', { onError: 'continue' }), failing(2, 5));
    expect(ended).toMatchObject({ status: 'COMPLETED', hasFailures: true, failed: 2, skipped: 4, error: null });
    expect(statuses).toMatchObject({
      ...{ 'each-1#2': 'FAILED', 'then-1#2': 'SKIPPED', 'also-1#2': 'SKIPPED', 'then-1#3': 'SUCCEEDED' },
      ...{ 'each-1': 'FAILED', 'all-1': 'SUCCEEDED' },
    });
  });

  it('fails the run if more children fail than its threshold tolerates', async () => {
    const tolerant = (failThreshold: Step['failThreshold'] & object) =>
      withStep('each-1', { onError: 'continue', failThreshold });
    const within = await run(tolerant({ percent: 20 }), failing(2, 5));
    expect([within.run.status, within.statuses['all-1']]).toEqual(['COMPLETED', 'SUCCEEDED']);
    const beyond = await run(tolerant({ count: 1 }), failing(2, 5));
    expect(beyond.run).toMatchObject({
      ...{ status: 'FAILED', hasFailures: false },
      error: 'each-1: 2 of 10 failed, more than its fail_threshold of 1 tolerates: exit code 1 (2)',
    });
  });

  it.each(['continue', 'empty'] as const)(
    'and on_error %s beyond its threshold skips what gathers from the nodes that follow it, until that is repaired',
    async (onError) => {
      const isFixed = { current: false };
      const outcomeOf = (step: Step, task: number) => (isFixed.current ? 'succeeded' : failing(2, 5)(step, task));
      const adapt = withStep('each-1', { onError, failThreshold: { percent: 10 } });
      const { id, workers, statuses } = await run(adapt, outcomeOf);
      expect(statuses).toMatchObject({ 'then-1#3': 'SUCCEEDED', 'all-1': 'SKIPPED' });
      const all = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'all-1' } });
      expect(all.message).toBe('skipped: each-1 failed');
      expect(workers.started.filter((started) => started === `${all.step}#0`)).toEqual([]);
      isFixed.current = true;
      await engine.retry(id);
      await engine.runToEnd(workers);
      await engine.expectSettled(id);
      expect(await engine.statusesOf(id)).toMatchObject({ 'each-1#2': 'SUCCEEDED', 'all-1': 'SUCCEEDED' });
      expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', hasFailures: false });
    },
  );

  it('keeps the results of the other children if its task group is skipped', async () => {
    const adapt = withStep('each-1', { onError: 'continue', failThreshold: { percent: 10 } });
    const { id, workers } = await run(adapt, failing(2, 5));
    const group = await engine.database.client.subjob.findFirstOrThrow({
      where: { runId: id, node: 'each-1', task: 0 },
    });
    await engine.change(id, (tx, locked) =>
      skipSubjob(tx, locked, group.id, { reason: 'skipped by a user', mayDecide: () => true }),
    );
    await engine.runToEnd(workers);
    await engine.expectSettled(id);
    expect(await engine.statusesOf(id)).toMatchObject({
      ...{ 'each-1#1': 'SUCCEEDED', 'each-1#2': 'SKIPPED', 'then-1#2': 'SKIPPED', 'then-1#3': 'SUCCEEDED' },
      'all-1': 'SUCCEEDED',
    });
    const then = await engine.database.client.subjob.findFirst({ where: { runId: id, node: 'then-1', task: 2 } });
    expect(then?.message).toBe('skipped: each-1 was skipped by a user');
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', failed: 0 });
  });

  it('still fails the run if another node fails', async () => {
    const outcomeOf = (step: Step, task: number): Outcome =>
      step.node === 'beside-1' ? 'failed' : failing(2)(step, task);
    const { run: ended, statuses } = await run(withStep('each-1', { onError: 'continue' }), outcomeOf);
    expect(ended).toMatchObject({ status: 'FAILED', error: 'beside-1: exit code 1' });
    expect(statuses['all-1']).toBe('SUCCEEDED');
  });

  it('gives the steps that gather a list of the missing children', async () => {
    const { id, plan } = await engine.start(items, {}, {}, withStep('each-1', { onError: 'continue' }));
    const workers = new FakeWorkers(plan, failing(2), () => 3);
    const gathering = plan.plan.steps.find(({ node }) => node === 'all-1');
    let payload: DispatchPayload | undefined;
    for (let queued = await engine.dispatch(); queued.length > 0; queued = await engine.dispatch()) {
      payload ??= queued.find(({ segment }) => segment === gathering?.segment);
      for (const dispatched of queued) await engine.apply(workers.run(dispatched));
    }
    const source = String(plan.plan.steps.find(({ node }) => node === 'then-1')?.index);
    expect(payload?.shared[source]).toMatchObject({ files: [{ path: '1/output.txt' }, { path: '3/output.txt' }] });
    const manifest = payload?.failures?.[source];
    expect(manifest?.path).toBe('.failed.json');
    expect(JSON.parse(await engine.readObject(manifest?.sha256 ?? ''))).toEqual({
      ...{ node: 'then-1', children: 3 },
      failed: [{ index: 2, status: 'SKIPPED', reason: 'skipped: each-1 failed' }],
    });
    expect(id).toBeDefined();
  });

  it('skips what needs its result if it runs once, and nothing else', async () => {
    const data = draw()
      .script('first-1')
      .script('other-1')
      .script('needs-1')
      .script('both-1')
      .wire('first-1.file', 'needs-1.file')
      .wire('first-1.file', 'both-1.file')
      .wire('other-1.file', 'both-1.file')
      .data();
    const { id, plan } = await engine.start(data, {}, {}, withStep('first-1', { onError: 'continue' }));
    const workers = new FakeWorkers(
      plan,
      ({ node }) => (node === 'first-1' ? 'failed' : 'succeeded'),
      () => 0,
    );
    await engine.runToEnd(workers);
    expect(await engine.statusesOf(id)).toEqual({
      'first-1': 'FAILED',
      'other-1': 'SUCCEEDED',
      'needs-1': 'SKIPPED',
      'both-1': 'SUCCEEDED',
    });
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', hasFailures: true });
    await engine.expectSettled(id);
    await engine.expectCurrent(id, plan, workers);
  });
});

describe('a node with on_error: empty', () => {
  it('passes an empty output on for each failed child', async () => {
    const { run: ended, statuses, id } = await run(withStep('each-1', { onError: 'empty' }), failing(2));
    expect(ended).toMatchObject({ status: 'COMPLETED', hasFailures: true, failed: 1, skipped: 0 });
    expect(statuses).toMatchObject({ 'each-1#2': 'FAILED', 'then-1#2': 'SUCCEEDED', 'all-1': 'SUCCEEDED' });
    const outputs = await engine.database.client.output.findMany({ where: { runId: id, node: 'each-1', task: 2 } });
    expect(outputs).toMatchObject([{ path: 'output.txt', size: 0n }]);
  });
});

describe('a retry', () => {
  it('runs what failed and what was skipped because of it, and gathers again', async () => {
    const { id, plan } = await engine.start(items, {}, {}, withStep('each-1', { onError: 'continue' }));
    const fixed = new Set<number>();
    const workers = new FakeWorkers(
      plan,
      (step, task) => (fixed.has(task) ? 'succeeded' : failing(2, 5)(step, task)),
      () => 10,
    );
    await engine.runToEnd(workers);
    const before = workers.started.length;
    fixed.add(2);
    await engine.retry(id);
    expect((await engine.runOf(id)).finishedAt).toBeNull();
    await engine.runToEnd(workers);
    await engine.expectSettled(id);
    await engine.expectCurrent(id, plan, workers);
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', hasFailures: true, revision: 1, failed: 1 });
    expect(await engine.statusesOf(id)).toMatchObject({ 'each-1#2': 'SUCCEEDED', 'each-1#5': 'FAILED' });
    // Both failed children, the two that follow the fixed one, and what gathers.
    expect(workers.started.length - before).toBe(5);
    const subjob = await engine.database.client.subjob.findFirstOrThrow({
      where: { runId: id, node: 'each-1', task: 2 },
    });
    expect(subjob.attempt).toBe(2);
    const attempts = await engine.database.client.attempt.findMany({ where: { runId: id, subjobId: subjob.id } });
    expect(attempts).toMatchObject([{ attempt: 1, status: 'FAILED', message: 'exit code 1' }]);
  });

  it('of a node that could not be split replaces the empty output that stood for its children', async () => {
    const distributed = draw()
      .script('lines-1')
      .script('each-1', {}, { on_error: 'empty', distribution: { input: 'file', mode: 'line' } })
      .script('all-1')
      .wire('lines-1.file', 'each-1.file')
      .wire('each-1.folder', 'all-1.folder')
      .data();
    const { id, plan } = await engine.start(distributed, {});
    let isFixed = false;
    const isSplit = ({ index }: Step) => plan.isHidden(index);
    const workers = new FakeWorkers(
      plan,
      (step) => (isSplit(step) && !isFixed ? 'failed' : 'succeeded'),
      () => 3,
    );
    await engine.runToEnd(workers);
    const where = { runId: id, node: 'each-1', replaced: false };
    expect(await engine.database.client.output.findMany({ where })).toMatchObject([{ task: 0, size: 0n }]);
    isFixed = true;
    await engine.retry(id);
    await engine.runToEnd(workers);
    await engine.expectSettled(id);
    await engine.expectCurrent(id, plan, workers);
    const outputs = await engine.database.client.output.findMany({ where, orderBy: { task: 'asc' } });
    expect(outputs.map(({ task }) => task)).toEqual([1, 2, 3]);
  });
});
