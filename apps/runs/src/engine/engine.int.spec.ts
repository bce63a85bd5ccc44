import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import { compilePlan } from '@millrace/graph/compile-plan';
import { draw, drawChain, label } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk-store';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { FakeFleet, type Fate } from '../testing/fake-fleet.js';
import { applyReports } from './apply-reports.js';
import { createRun } from './create-run.js';
import { putBack } from './find-unqueued.js';
import { GatherStore } from './gather-store.js';
import { lockRuns } from './locked-run.js';
import { loseDispatches } from './lose-tasks.js';
import { Pace } from './pace.js';
import type { PlanIndex } from './plan-index.js';
import { PlanStore } from './plan-store.js';
import { releaseTasks } from './release-tasks.js';
import { stopRun } from './stop-run.js';
import { stopSubjob } from './stop-subjob.js';
import { writeRuns } from './write-runs.js';

let postgres: FreshDatabase;
let database: Database;
let folder: string;
let plans: PlanStore;
let gathers: GatherStore;
/** Dispatches that the outbox holds for the queue. */
let queue: DispatchPayload[] = [];

beforeAll(async () => {
  postgres = await freshDatabase();
  database = new Database({ url: postgres.url, service: 'runs', connections: 4 });
  folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const store = new DiskStore(folder);
  plans = new PlanStore(store);
  gathers = new GatherStore(store);
  database.onCommit((entries) => {
    for (const { name, payload } of entries) if (name === 'runs.dispatch') queue.push(payload as DispatchPayload);
  });
});

afterAll(async () => {
  await database.close();
  await postgres.drop();
  await rm(folder, { recursive: true });
});

const always = (fate: Fate) => () => fate;

async function begin(data: unknown, modules = {}): Promise<{ id: bigint; plan: PlanIndex }> {
  await database.client.$executeRaw`DELETE FROM runs.run`;
  queue = [];
  const plan = await plans.save(compilePlan(data, modules));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  const wanted = {
    plan,
    vaultId: newId(),
    author: newId(),
    name: 'r',
    creationType: 'MANUAL' as const,
    status: 'SUBMITTED' as const,
    workflow,
  };
  const run = await database.transaction((tx) =>
    createRun(tx, { ...wanted, version: newId(), inputs: {}, parallelism: 100, deadline: null }),
  );
  return { id: run.id, plan };
}

/** Hands out what is ready and takes it from the queue. */
async function release(slots = 4): Promise<DispatchPayload[]> {
  await database.client.$executeRaw`UPDATE runs.task SET not_before = NULL`;
  await releaseTasks(database, { plans, gathers, pace: new Pace(), slots });
  return queue.splice(0);
}

const apply = (reports: Report[], worker = 'w') =>
  database.transaction(async (tx) => {
    const applied = await applyReports(
      tx,
      plans,
      reports.map((report) => ({ worker, report })),
    );
    return { ...applied, told: writeRuns(tx, applied.runs.values()) };
  });

/** Runs all that comes up until nothing does. */
async function finish(fleet: FakeFleet): Promise<void> {
  for (let out = await release(); out.length > 0; out = await release()) {
    await apply(out.flatMap((payload) => fleet.run(payload)));
  }
}

const statusesOf = async (id: bigint): Promise<Record<string, string>> => {
  const rows = await database.client.subjob.findMany({ where: { runId: id }, orderBy: { id: 'asc' } });
  return Object.fromEntries(rows.map(({ node, task, status }) => [task === 0 ? node : `${node}#${task}`, status]));
};

const runOf = (id: bigint) => database.client.run.findUniqueOrThrow({ where: { id } });

/** What must hold of every run that has ended, whatever happened to it. */
async function expectSettled(id: bigint): Promise<void> {
  const run = await runOf(id);
  const rows = await database.client.subjob.groupBy({ by: ['status'], where: { runId: id }, _count: true });
  const counted = Object.fromEntries(rows.map(({ status, _count }) => [status.toLowerCase(), _count]));
  const { pending, running, succeeded, failed, stopping, stopped, skipped } = run;
  const noted = { pending, running, succeeded, failed, stopping, stopped, skipped };
  expect(Object.fromEntries(Object.entries(noted).filter(([, count]) => count !== 0))).toEqual(counted);
  expect([pending, running, stopping]).toEqual([0, 0, 0]);
  expect(run.finishedAt).not.toBeNull();
  expect(await database.client.dispatch.count({ where: { runId: id } })).toBe(0);
  expect(await database.client.task.count({ where: { runId: id, state: { not: 'DONE' } } })).toBe(0);
  const ended = await database.client.outbox.findMany({ where: { name: 'runs.run.finished' } });
  expect(ended.filter(({ payload }) => (payload as { run: string }).run === String(id))).toHaveLength(1);
  const changes = await database.client.runChange.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
  expect(changes.reduce((next, row) => (expect(row.seq).toBe(next), next + (row.changes as unknown[]).length), 1)).toBe(
    run.changeSeq + 1,
  );
}

async function usageOf(id: bigint): Promise<string[]> {
  const rows = await database.client.outbox.findMany({ where: { name: 'runs.subjobs.finished' } });
  const entries = rows.flatMap(({ payload }) => (payload as { entries: { run: string; subjob: string }[] }).entries);
  return entries.filter(({ run }) => run === String(id)).map(({ subjob }) => subjob);
}

describe('the engine', () => {
  it('runs every step of any workflow exactly once, in the order of its edges', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(4), async ({ data, modules }, items) => {
        const { id, plan } = await begin(data, modules);
        const fleet = new FakeFleet(plan, always('succeeded'), () => items);
        await finish(fleet);
        expect((await runOf(id)).status).toBe('COMPLETED');
        expect(new Set(fleet.begun).size).toBe(fleet.begun.length);
        const wanted = plan.plan.steps.flatMap(({ index, scope }) =>
          scope === null ? [`${index}#0`] : Array.from({ length: items }, (_, n) => `${index}#${n + 1}`),
        );
        expect([...fleet.begun].sort()).toEqual(wanted.sort());
        await expectSettled(id);
        const usage = await usageOf(id);
        expect(new Set(usage).size).toBe(usage.length);
      }),
      { numRuns: 40 },
    );
  });

  it('comes to the same end though reports come twice, late, in pieces, and workers vanish', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.infiniteStream(fc.nat(99)), async ({ data, modules }, dice) => {
        const { id, plan } = await begin(data, modules);
        const fleet = new FakeFleet(plan, always('succeeded'), () => 3);
        const roll = () => dice.next().value as number;
        const late: Report[] = [];
        for (let round = 0; (await runOf(id)).finishedAt === null; round++) {
          expect(round).toBeLessThan(500);
          for (const payload of await release(2)) {
            const reports = fleet.run(payload);
            const fate = round > 100 ? 99 : roll();
            const cut = roll() % reports.length;
            if (fate < 15) {
              await apply(reports.slice(0, cut), 'gone');
              await database.transaction((tx) => loseDispatches(tx, plans, [BigInt(payload.dispatch)]));
              late.push(...reports.slice(cut));
            } else if (fate < 25) await database.transaction((tx) => putBack(tx, [BigInt(payload.dispatch)]));
            else if (fate < 35) {
              const tasks = payload.tasks.map(({ index }) => index);
              await apply([
                { type: 'returned', dispatch: payload.dispatch, tasks },
                { type: 'closed', dispatch: payload.dispatch },
              ]);
            } else {
              await apply(reports.slice(0, cut));
              await apply(reports.slice(0, cut));
              await apply(reports);
            }
          }
          await apply(late.splice(0), 'gone');
        }
        const run = await runOf(id);
        // Four losses of the same task are the task's own fault; anything less must not show.
        if (run.failed === 0) expect(run.status).toBe('COMPLETED');
        await expectSettled(id);
        const usage = await usageOf(id);
        expect(new Set(usage).size).toBe(usage.length);
      }),
      { numRuns: 25 },
    );
  });

  it('settles any workflow in which steps fail, and runs what does not depend on them', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomWorkflow,
        fc.nat(3),
        fc.integer({ min: 2, max: 9 }),
        async ({ data, modules }, items, rate) => {
          const { id, plan } = await begin(data, modules);
          const fate = (step: { index: number }, task: number): Fate =>
            (step.index * 7 + task * 3) % rate === 0 ? 'failed' : 'succeeded';
          await finish(new FakeFleet(plan, fate, () => items));
          const run = await runOf(id);
          expect(run.status).toBe(run.failed > 0 ? 'FAILED' : 'COMPLETED');
          expect(run.partial).toBe(run.failed > 0 && run.succeeded > 0);
          await expectSettled(id);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stops any workflow at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(6), fc.boolean(), async ({ data, modules }, rounds, isMidway) => {
        const { id, plan } = await begin(data, modules);
        const fleet = new FakeFleet(plan, always('succeeded'), () => 3);
        const open: Report[] = [];
        for (let round = 0; round < rounds; round++) {
          for (const payload of await release(2)) {
            const reports = fleet.run(payload);
            const cut = isMidway && round === rounds - 1 ? 1 : reports.length;
            await apply(reports.slice(0, cut));
            open.push(...reports.slice(cut));
          }
        }
        await database.transaction(async (tx) => {
          const runs = await lockRuns(tx, plans, [id]);
          for (const run of runs.values()) await stopRun(tx, run, null);
          writeRuns(tx, runs.values());
        });
        expect(await release()).toHaveLength(0);
        await apply(
          open.map((report) => (report.type === 'finished' ? { ...report, outcome: 'stopped' as const } : report)),
        );
        const run = await runOf(id);
        expect(['STOPPED', 'COMPLETED']).toContain(run.status);
        await expectSettled(id);
      }),
      { numRuns: 40 },
    );
  });

  it('tries a failed step again as often as its node says, and carries on from what is recorded', async () => {
    const chain = drawChain(3);
    Object.assign(chain.nodes['step-2'] ?? {}, { retries: 2 });
    const { id, plan } = await begin(chain.data());
    const second = plan.plan.steps.find(({ node }) => node === 'step-2')?.index;
    const fleet = new FakeFleet(
      plan,
      (step, _task, attempt) => (step.index === second && attempt < 3 ? 'failed' : 'succeeded'),
      () => 0,
    );
    await finish(fleet);
    expect((await runOf(id)).status).toBe('COMPLETED');
    expect(fleet.begun.map((at) => plan.step(parseInt(at, 10)).node)).toEqual([
      'step-1',
      'step-2',
      'step-2',
      'step-2',
      'step-3',
    ]);
    await expectSettled(id);
  });

  it('gives a task up after its worker was lost four times', async () => {
    const { id } = await begin(drawChain(1).data());
    for (let loss = 0; loss < 4; loss++) {
      const [payload] = await release();
      if (!payload) throw new Error('nothing was handed out');
      await apply([
        {
          type: 'started',
          dispatch: payload.dispatch,
          task: 0,
          step: 0,
          attempt: payload.tasks[0]?.attempt ?? 0,
          at: Date.now(),
        },
      ]);
      await database.transaction((tx) => loseDispatches(tx, plans, [BigInt(payload.dispatch)]));
    }
    expect((await runOf(id)).status).toBe('FAILED');
    expect(await statusesOf(id)).toEqual({ 'step-1': 'FAILED' });
    await expectSettled(id);
  });

  it('skips what depends on a failed child, and gathers nothing from a broken group', async () => {
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
    const { id, plan } = await begin(data);
    const fleet = new FakeFleet(
      plan,
      (step, task) => (step.node === 'each-1' && task === 2 ? 'failed' : 'succeeded'),
      () => 3,
    );
    await finish(fleet);
    expect(await statusesOf(id)).toMatchObject({
      'each-1#1': 'SUCCEEDED',
      'each-1#2': 'FAILED',
      'then-1#2': 'SKIPPED',
      'then-1#3': 'SUCCEEDED',
      'each-1': 'FAILED',
      'all-1': 'SKIPPED',
      'beside-1': 'SUCCEEDED',
    });
    await expectSettled(id);
  });

  it('succeeds where there is nothing to distribute', async () => {
    const data = draw()
      .script('lines-1')
      .splitter('split-1')
      .script('each-1', { item: { type: 'STRING', order: 0 } })
      .script('all-1')
      .wire('lines-1.file', 'split-1.multiple')
      .wire('split-1.output', 'each-1.item')
      .wire('each-1.folder', 'all-1.folder')
      .data();
    const { id, plan } = await begin(data);
    await finish(new FakeFleet(plan, always('succeeded'), () => 0));
    expect((await runOf(id)).status).toBe('COMPLETED');
    expect(await statusesOf(id)).toEqual({
      'lines-1': 'SUCCEEDED',
      'split-1': 'SUCCEEDED',
      'each-1': 'SUCCEEDED',
      'all-1': 'SUCCEEDED',
    });
    await expectSettled(id);
  });

  it('stops one subjob that waits, and skips what depends on it', async () => {
    const { id, plan } = await begin(
      draw().script('a-1').script('b-1').script('c-1').wire('a-1.file', 'b-1.file').wire('a-1.file', 'c-1.file').data(),
    );
    const subjob = await database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'b-1' } });
    await database.transaction(async (tx) => {
      const runs = await lockRuns(tx, plans, [id]);
      for (const run of runs.values()) await stopSubjob(tx, run, subjob);
      writeRuns(tx, runs.values());
    });
    await finish(new FakeFleet(plan, always('succeeded'), () => 0));
    expect(await statusesOf(id)).toEqual({ 'a-1': 'SUCCEEDED', 'b-1': 'STOPPED', 'c-1': 'SUCCEEDED' });
    await expectSettled(id);
  });

  it('starts a small run beside a large one at once', async () => {
    const wide = draw()
      .script('lines-1')
      .splitter('split-1')
      .script('each-1', { item: { type: 'STRING', order: 0 } })
      .wire('lines-1.file', 'split-1.multiple')
      .wire('split-1.output', 'each-1.item')
      .data();
    const large = await begin(wide);
    const fleet = new FakeFleet(large.plan, always('succeeded'), () => 1_000);
    for (let round = 0; round < 2; round++) for (const payload of await release()) await apply(fleet.run(payload));
    const [first] = await release(2);
    const plan = await plans.save(compilePlan(drawChain(1).data(), {}));
    const { vaultId, author } = await runOf(large.id);
    const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
    const small = await database.transaction((tx) =>
      createRun(tx, {
        plan,
        vaultId,
        author,
        name: 'small',
        creationType: 'API',
        status: 'PENDING',
        workflow,
        version: newId(),
        inputs: {},
        parallelism: 1,
        deadline: null,
      }),
    );
    if (!first) throw new Error('the large run was not handed out');
    await apply(fleet.run(first));
    expect((await release(2)).map(({ run }) => run)).toEqual([String(small.id)]);
  });
});
