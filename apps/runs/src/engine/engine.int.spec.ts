import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Report } from '@millrace/contracts/runs/report';
import { draw, drawChain, label } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers, type Outcome } from '../testing/fake-workers.js';
import { SteppedEngine } from '../testing/stepped-engine.js';
import { requeueDispatches } from './reconcile/requeue-missing.js';
import { isTolerated } from './settle/fail-thresholds.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

describe('the engine', () => {
  it('runs every step of any workflow exactly once, in the order of its edges, unless a condition is false', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(4), async ({ data, modules }, items) => {
        const { id, plan } = await engine.start(data, modules);
        const workers = new FakeWorkers(plan, always('succeeded'), () => items);
        await engine.runToEnd(workers);
        expect((await engine.runOf(id)).status).toBe('COMPLETED');
        expect(new Set(workers.started).size).toBe(workers.started.length);
        const statuses = await engine.statusesOf(id);
        // A step whose condition is false does not run, and neither does what has no input without it.
        const expected = plan.plan.steps.flatMap(({ index, node, scope, program }) => {
          if (program.kind === 'approval') return [];
          if (scope === null) return statuses[node] === 'SKIPPED' ? [] : [`${index}#0`];
          const children = Array.from({ length: items }, (_, n) => n + 1);
          return children.flatMap((n) => (statuses[`${node}#${n}`] === 'SUCCEEDED' ? [`${index}#${n}`] : []));
        });
        // The hidden split of a node runs even if all its children are skipped later, which skips the node.
        const mayRun = plan.plan.steps.filter(
          ({ index, node }) => plan.isHidden(index) && statuses[node] === 'SKIPPED',
        );
        const started = workers.started.filter((key) => !mayRun.some(({ index }) => key === `${index}#0`));
        expect(started.sort()).toEqual(expected.sort());
        await engine.expectSettled(id);
        const usage = await engine.usageOf(id);
        expect(new Set(usage).size).toBe(usage.length);
      }),
      { numRuns: 40 },
    );
  });

  it('reaches the same result if reports are repeated, late or split, and workers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.infiniteStream(fc.nat(99)), async ({ data, modules }, dice) => {
        const { id, plan } = await engine.start(data, modules);
        const workers = new FakeWorkers(plan, always('succeeded'), () => 3);
        const roll = () => dice.next().value as number;
        const late: Report[] = [];
        for (let round = 0; (await engine.runOf(id)).finishedAt === null; round++) {
          expect(round).toBeLessThan(500);
          await engine.check();
          await engine.decide();
          for (const payload of await engine.dispatch(2)) {
            const reports = workers.run(payload);
            const chance = round > 100 ? 99 : roll();
            const cut = roll() % reports.length;
            if (chance < 15) {
              await engine.apply(reports.slice(0, cut), 'lost');
              await engine.lose(payload);
              late.push(...reports.slice(cut));
            } else if (chance < 25)
              await engine.database.transaction((tx) => requeueDispatches(tx, [BigInt(payload.dispatch)]));
            else if (chance < 35) {
              const tasks = payload.tasks.map(({ index }) => index);
              await engine.apply([
                { type: 'returned', dispatch: payload.dispatch, tasks },
                { type: 'closed', dispatch: payload.dispatch },
              ]);
            } else {
              await engine.apply(reports.slice(0, cut));
              await engine.apply(reports.slice(0, cut));
              await engine.apply(reports);
            }
          }
          await engine.apply(late.splice(0), 'lost');
        }
        const run = await engine.runOf(id);
        // Only four losses of the same task may change the result, and then a subjob fails.
        if (run.failed === 0) expect(run.status).toBe('COMPLETED');
        await engine.expectSettled(id);
        const usage = await engine.usageOf(id);
        expect(new Set(usage).size).toBe(usage.length);
      }),
      { numRuns: 25 },
    );
  });

  it('runs an interrupted step again at once, however often, without an attempt or a cost', async () => {
    const chain = drawChain(3);
    const { id, plan } = await engine.start(chain.data());
    const second = plan.plan.steps.find(({ node }) => node === 'step-2')?.index;
    const outcomeOf = (step: { index: number }, _task: number, attempt: number): Outcome =>
      step.index === second && attempt < 7 ? 'interrupted' : 'succeeded';
    const workers = new FakeWorkers(plan, outcomeOf, () => 1);
    for (let round = 0; (await engine.runOf(id)).finishedAt === null; round++) {
      expect(round).toBeLessThan(10);
      await engine.apply((await engine.dispatch()).flatMap((payload) => workers.run(payload)));
      expect(await engine.database.client.task.count({ where: { notBefore: { gt: new Date() } } })).toBe(0);
    }
    await engine.expectSettled(id);
    expect(await engine.database.client.attempt.count({ where: { runId: id } })).toBe(0);
    expect(await engine.usageOf(id)).toHaveLength(3);
    expect(workers.started.filter((key) => key === '0#0')).toHaveLength(1);
  });

  it('finishes any workflow with failing steps, and runs the steps that do not depend on them', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomWorkflow,
        fc.nat(3),
        fc.integer({ min: 2, max: 9 }),
        async ({ data, modules }, items, rate) => {
          const { id, plan } = await engine.start(data, modules);
          const outcomeOf = (step: { index: number }, task: number): Outcome =>
            (step.index * 7 + task * 3) % rate === 0 ? 'failed' : 'succeeded';
          await engine.runToEnd(new FakeWorkers(plan, outcomeOf, () => items));
          const run = await engine.runOf(id);
          const failed = await engine.countFailed(id);
          const isFatal = failed.some(({ step, count, total }) => !isTolerated(plan.step(step), count, total));
          expect([run.status, run.hasFailures]).toEqual(isFatal ? ['FAILED', false] : ['COMPLETED', run.failed > 0]);
          expect(run.partial).toBe(isFatal && run.succeeded > 0);
          await engine.expectSettled(id);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('retries a failed step up to the limit of its node, and does not repeat recorded steps', async () => {
    const chain = drawChain(3);
    Object.assign(chain.nodes['step-2'] ?? {}, { retries: 2 });
    const { id, plan } = await engine.start(chain.data());
    const second = plan.plan.steps.find(({ node }) => node === 'step-2')?.index;
    const workers = new FakeWorkers(
      plan,
      (step, _task, attempt) => (step.index === second && attempt < 3 ? 'failed' : 'succeeded'),
      () => 0,
    );
    await engine.runToEnd(workers);
    expect((await engine.runOf(id)).status).toBe('COMPLETED');
    expect(workers.started.map((at) => plan.step(parseInt(at, 10)).node)).toEqual([
      'step-1',
      'step-2',
      'step-2',
      'step-2',
      'step-3',
    ]);
    await engine.expectSettled(id);
  });

  it('repeats a step without limit if the platform fails, and uses up no retry', async () => {
    const chain = drawChain(2);
    const { id, plan } = await engine.start(chain.data());
    const second = plan.plan.steps.find(({ node }) => node === 'step-2')?.index;
    const workers = new FakeWorkers(
      plan,
      (step, _task, attempt) => (step.index === second && attempt < 7 ? 'platformFailed' : 'succeeded'),
      () => 0,
    );
    await engine.runToEnd(workers);
    const run = await engine.runOf(id);
    expect([run.status, run.failed]).toEqual(['COMPLETED', 0]);
    expect(workers.started).toHaveLength(1 + 7);
    await engine.expectSettled(id);
  });

  it.each<[number, object, number]>([
    [3, { status: 'COMPLETED', failed: 0 }, 1 + 4],
    [4, { status: 'FAILED', failed: 1 }, 1 + 4],
  ])('a step whose machine is lost %d times uses up no retry, and ends as %j', async (losses, ending, executions) => {
    const { id, plan } = await engine.start(drawChain(2).data());
    const second = plan.plan.steps.find(({ node }) => node === 'step-2')?.index;
    const workers = new FakeWorkers(
      plan,
      (step, _task, attempt) => (step.index === second && attempt <= losses ? 'lost' : 'succeeded'),
      () => 0,
    );
    await engine.runToEnd(workers);
    expect(await engine.runOf(id)).toMatchObject(ending);
    expect(workers.started).toHaveLength(executions);
    const { message } = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'step-2' } });
    expect(message).toBe(losses > 3 ? 'exit code 1; it was lost 4 times while this step ran' : null);
    await engine.expectSettled(id);
  });

  it('skips the steps that depend on a failed child, and gathers nothing from a broken group', async () => {
    const data = draw()
      .script('lines-1')
      .splitter('split-1')
      .script('each-1', { item: { type: 'STRING', order: 0 } })
      .script('then-1')
      .script('all-1')
      .script('beside-1', {}, label('beside'))
      .wire('lines-1.file', 'split-1.multiple')
      .wire('split-1.output', 'each-1.item')
      .wire('each-1.file', 'then-1.file')
      .wire('then-1.folder', 'all-1.folder')
      .data();
    const { id, plan } = await engine.start(data);
    const workers = new FakeWorkers(
      plan,
      (step, task) => (step.node === 'each-1' && task === 2 ? 'failed' : 'succeeded'),
      () => 3,
    );
    await engine.runToEnd(workers);
    expect(await engine.statusesOf(id)).toMatchObject({
      'each-1#1': 'SUCCEEDED',
      'each-1#2': 'FAILED',
      'then-1#2': 'SKIPPED',
      'then-1#3': 'SUCCEEDED',
      'each-1': 'FAILED',
      'all-1': 'SKIPPED',
      'beside-1': 'SUCCEEDED',
    });
    await engine.expectSettled(id);
  });

  it('completes a run if there is nothing to distribute', async () => {
    const data = draw()
      .script('lines-1')
      .splitter('split-1')
      .script('each-1', { item: { type: 'STRING', order: 0 } })
      .script('all-1')
      .wire('lines-1.file', 'split-1.multiple')
      .wire('split-1.output', 'each-1.item')
      .wire('each-1.folder', 'all-1.folder')
      .data();
    const { id, plan } = await engine.start(data);
    await engine.runToEnd(new FakeWorkers(plan, always('succeeded'), () => 0));
    expect((await engine.runOf(id)).status).toBe('COMPLETED');
    expect(await engine.statusesOf(id)).toEqual({
      'lines-1': 'SUCCEEDED',
      'split-1': 'SUCCEEDED',
      'each-1': 'SUCCEEDED',
      'all-1': 'SUCCEEDED',
    });
    await engine.expectSettled(id);
  });

  const wide = draw()
    .script('lines-1')
    .splitter('split-1')
    .script('each-1', { item: { type: 'STRING', order: 0 } })
    .wire('lines-1.file', 'split-1.multiple')
    .wire('split-1.output', 'each-1.item')
    .data();

  /** Runs the steps before the children. */
  const split = async (workers: FakeWorkers) => {
    for (let round = 0; round < 2; round++) {
      for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload));
    }
  };

  it('dispatches a small run immediately, even beside a large one', async () => {
    const large = await engine.start(wide);
    const workers = new FakeWorkers(large.plan, always('succeeded'), () => 1_000);
    await split(workers);
    const [first] = await engine.dispatch(2);
    const small = await engine.startAnother(drawChain(1).data());
    await engine.apply(workers.run(first!));
    expect((await engine.dispatch(2))[0]?.run).toBe(String(small.id));
  });

  it('gives free slots to other runs if a run has all dispatches that it may have', async () => {
    const bounded = await engine.start(wide);
    await engine.database.client.run.update({ where: { id: bounded.id }, data: { parallelism: 1 } });
    await split(new FakeWorkers(bounded.plan, always('succeeded'), () => 1_000));
    const large = await engine.startAnother(wide, { parallelism: 100 });
    for (const { index } of large.plan.plan.segments) engine.durations.record(large.plan.sha256, index, 5);
    await split(new FakeWorkers(large.plan, always('succeeded'), () => 1_000));
    const out = await engine.dispatch(4);
    const dispatchesOf = ({ id }: { id: bigint }) => out.filter(({ run }) => run === String(id));
    expect([dispatchesOf(bounded).length, dispatchesOf(large).length]).toEqual([1, 7]);
    // The bounded run has the fewest dispatches and may have no more, so the large run gets the free one.
    await engine.database.client
      .$executeRaw`DELETE FROM runs.dispatch WHERE id = ${BigInt(dispatchesOf(large)[0]!.dispatch)}`;
    expect((await engine.dispatch(4)).map(({ run }) => run)).toEqual([String(large.id)]);
  });
});
