import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import type { Cancellation } from '../../workers/cancellation.js';
import { readChanges } from '../transaction/stored-changes.js';
import { stopChildren } from './stop-children.js';
import { stopRun } from './stop-run.js';
import { stopNextChildren, stopSubjob } from './stop-subjob.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

/** Checks that the published status changes lead to the status that each subjob has. */
async function expectPublished(runId: bigint): Promise<void> {
  const rows = await engine.database.client.runChange.findMany({ where: { runId }, orderBy: { seq: 'asc' } });
  const published = new Map<string, string>();
  for (const { subject, status } of rows.flatMap(({ changes }) => readChanges(changes))) published.set(subject, status);
  const subjobs = await engine.database.client.subjob.findMany({ where: { runId } });
  const run = await engine.runOf(runId);
  const present = [...subjobs, { ...run, id: 'run' }].map(({ id, status }) => [String(id), status] as const);
  expect(Object.fromEntries(published)).toEqual(
    Object.fromEntries(present.filter(([, status]) => status !== 'PENDING')),
  );
}

/** `b-1` runs once for each line of `a-1`. */
const distributing = draw()
  .script('a-1')
  .script('b-1', { x: { type: 'STRING', order: 0 } }, { distribution: { input: 'x', mode: 'line' } })
  .wire('a-1.file', 'b-1.x')
  .data();

/** Runs `a-1` and the split of `b-1`. @returns the first dispatches of children */
async function runToChildren(workers: FakeWorkers, slots?: number): Promise<DispatchPayload[]> {
  let out = await engine.dispatch(slots);
  for (; out[0]?.items === null; out = await engine.dispatch(slots)) {
    await engine.apply(out.flatMap((payload) => workers.run(payload)));
  }
  return out;
}

/** Loses the worker with all dispatches of the run. */
async function loseAll(runId: bigint): Promise<void> {
  const dispatches = await engine.database.client.dispatch.findMany({ where: { runId } });
  await engine.lose(...dispatches.map(({ id }) => ({ dispatch: String(id) })));
}

async function taskOf(runId: bigint, index: number) {
  const task = await engine.database.client.task.findFirstOrThrow({ where: { runId, index } });
  return { task, dispatch: String(task.dispatch) };
}

describe('stopping', () => {
  it('ends any workflow at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(6), fc.boolean(), async ({ data, modules }, rounds, isMidway) => {
        const { id, plan } = await engine.start(data, modules);
        const workers = new FakeWorkers(plan, always('succeeded'), () => 3);
        const unreported: Report[] = [];
        for (let round = 0; round < rounds; round++) {
          for (const payload of await engine.dispatch(2)) {
            const reports = workers.run(payload);
            const cut = isMidway && round === rounds - 1 ? 1 : reports.length;
            await engine.apply(reports.slice(0, cut));
            unreported.push(...reports.slice(cut));
          }
        }
        await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
        expect(await engine.dispatch()).toHaveLength(0);
        await engine.apply(
          unreported.map((report) =>
            report.type === 'finished' ? { ...report, outcome: 'stopped' as const } : report,
          ),
        );
        const run = await engine.runOf(id);
        expect(['STOPPED', 'COMPLETED']).toContain(run.status);
        await engine.expectSettled(id);
      }),
      { numRuns: 40 },
    );
  });

  it('in pieces ends any workflow, whatever workers report in between', async () => {
    const piece = fc.record({ size: fc.integer({ min: 1, max: 5 }), reports: fc.nat(3), isLost: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        randomWorkflow,
        fc.nat(6),
        fc.constantFrom('stopped', 'succeeded', 'failed'),
        fc.array(piece, { minLength: 5, maxLength: 20 }),
        async ({ data, modules }, rounds, outcome, pieces) => {
          const { id, plan } = await engine.start(data, modules);
          const workers = new FakeWorkers(plan, always('succeeded'), () => 4);
          const unreported: Report[] = [];
          for (let round = 0; round < rounds; round++) {
            const isLast = round === rounds - 1;
            for (const payload of await engine.dispatch(2)) {
              const reports = workers.run(payload);
              await engine.apply(isLast ? reports.slice(0, 1) : reports);
              if (isLast) unreported.push(...reports.slice(1));
            }
          }
          const late = unreported.map((report) => (report.type === 'finished' ? { ...report, outcome } : report));
          const where = { runId: id, status: 'PENDING', OR: [{ task: { gt: 0 } }, { taskCount: null }] };
          const waiting = await engine.database.client.subjob.findMany({ where });
          await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }, -1));
          for (let n = 0; (await engine.runOf(id)).stopSegment !== null; n++) {
            const { size, reports, isLost } = pieces[n % pieces.length]!;
            const run = await engine.runOf(id);
            expect([run.status, run.finishedAt]).toEqual(['STOPPING', null]);
            expect(await engine.dispatch()).toEqual([]);
            await engine.apply(late.splice(0, reports));
            if (isLost) await loseAll(id);
            await engine.change(id, (tx, locked) => stopChildren(tx, locked, size));
          }
          await engine.apply(late);
          expect((await engine.runOf(id)).finishedAt).not.toBeNull();
          await engine.expectSettled(id);
          await expectPublished(id);
          const ids = waiting.map((subjob) => subjob.id);
          const after = await engine.database.client.subjob.findMany({ where: { id: { in: ids } } });
          expect(after.map(({ status }) => status)).toEqual(ids.map(() => 'STOPPED'));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a task group in pieces ends all its children, whatever workers report in between', async () => {
    const piece = fc.record({ size: fc.integer({ min: 1, max: 3 }), reports: fc.nat(3), isLost: fc.boolean() });
    let stopped = 0;
    await fc.assert(
      fc.asyncProperty(
        randomWorkflow,
        fc.integer({ min: 2, max: 6 }),
        fc.array(piece, { minLength: 5, maxLength: 20 }),
        fc.nat(),
        async ({ data, modules }, rounds, pieces, choice) => {
          const { id, plan } = await engine.start(data, modules);
          const workers = new FakeWorkers(plan, always('succeeded'), () => 5);
          const late: Report[] = [];
          for (let round = 0; round < rounds; round++) {
            await engine.check();
            for (const payload of await engine.dispatch(2)) {
              const reports = workers.run(payload);
              const cut = round === rounds - 1 ? 1 : reports.length;
              await engine.apply(reports.slice(0, cut));
              late.push(...reports.slice(cut));
            }
          }
          const groups = await engine.database.client.subjob.findMany({
            where: { runId: id, task: 0, taskCount: { gt: 0 }, finishedAt: null },
            orderBy: { id: 'asc' },
          });
          if (groups.length === 0) return;
          const { id: groupId, step } = groups[choice % groups.length]!;
          const readGroup = () => engine.database.client.subjob.findUniqueOrThrow({ where: { id: groupId } });
          const group = await readGroup();
          await engine.change(id, (tx, run) => stopSubjob(tx, run, group, 1));
          for (let n = 0, now = await readGroup(); now.stopNext !== null; now = await readGroup(), n++) {
            const { size, reports, isLost } = pieces[n % pieces.length]!;
            await expect(engine.retry(id, { nodes: [group.node] })).rejects.toMatchObject({
              details: { 'params.id': expect.stringContaining('are being stopped') },
            });
            await engine.apply(late.splice(0, reports));
            if (isLost) await loseAll(id);
            const current = await readGroup();
            await engine.change(id, (tx, run) => stopNextChildren(tx, run, current, size));
            stopped++;
          }
          const where = { runId: id, step, task: { gt: 0 }, status: { in: ['PENDING', 'RUNNING'] } };
          expect(await engine.database.client.subjob.count({ where })).toBe(0);
          const before = workers.started.length;
          await engine.apply(late);
          await engine.runToEnd(workers);
          expect(workers.started.slice(before).filter((started) => started.startsWith(`${step}#`))).toEqual([]);
          await engine.expectSettled(id);
          await expectPublished(id);
        },
      ),
      { numRuns: 60 },
    );
    expect(stopped).toBeGreaterThan(0);
  });

  it('a run whose worker is lost with several children ends it', async () => {
    const { id, plan } = await engine.start(distributing);
    const workers = new FakeWorkers(plan, always('succeeded'), () => 3);
    const out = await runToChildren(workers, 3);
    expect(out).toHaveLength(3);
    await engine.apply(out.flatMap((payload) => workers.run(payload).slice(0, 1)));
    await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
    await loseAll(id);
    expect(await engine.statusesOf(id)).toMatchObject({ 'b-1#1': 'STOPPED', 'b-1#3': 'STOPPED', 'b-1': 'STOPPED' });
    expect(await engine.runOf(id)).toMatchObject({ status: 'STOPPED' });
    await engine.expectSettled(id);
  });

  it('many children takes several transactions, and the run shows what is left', async () => {
    const { id, plan } = await engine.start(distributing);
    const workers = new FakeWorkers(plan, always('succeeded'), () => 50);
    while ((await engine.database.client.task.count({ where: { runId: id } })) < 50) {
      await engine.apply((await engine.dispatch(1)).flatMap((payload) => workers.run(payload)));
    }
    await engine.change(id, (tx, run) => stopRun(tx, run, { error: 'too long' }, 49));
    const counts: number[][] = [];
    for (let run = await engine.runOf(id); run.stopSegment !== null; run = await engine.runOf(id)) {
      counts.push([run.pending, run.stopped]);
      await engine.change(id, (tx, locked) => stopChildren(tx, locked, 20));
    }
    expect(counts).toEqual([
      [50, 0],
      [30, 20],
      [10, 40],
    ]);
    expect(await engine.runOf(id)).toMatchObject({ status: 'FAILED', error: 'too long', pending: 0, stopped: 50 });
    const children = await engine.database.client.subjob.findMany({ where: { runId: id, task: { gt: 0 } } });
    expect(new Set(children.map(({ status, message }) => `${status}: ${message}`))).toEqual(
      new Set(['STOPPED: too long']),
    );
    await engine.expectSettled(id);
    await expectPublished(id);
  });

  it('a waiting subjob skips the subjobs that depend on it', async () => {
    const { id, plan } = await engine.start(
      draw().script('a-1').script('b-1').script('c-1').wire('a-1.file', 'b-1.file').wire('a-1.file', 'c-1.file').data(),
    );
    const subjob = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'b-1' } });
    await engine.change(id, (tx, run) => stopSubjob(tx, run, subjob));
    await engine.runToEnd(new FakeWorkers(plan, always('succeeded'), () => 0));
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'SUCCEEDED', 'b-1': 'STOPPED', 'c-1': 'SUCCEEDED' });
    await engine.expectSettled(id);
  });

  it('a dispatched child cancels it at its worker, and again if the worker starts it nevertheless', async () => {
    const { id, plan } = await engine.start(distributing);
    const workers = new FakeWorkers(plan, always('succeeded'), () => 2);
    await runToChildren(workers);
    const { task, dispatch } = await taskOf(id, 2);
    const subjob = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, task: 2 } });
    const cancellations: Cancellation[] = [];
    await engine.change(id, async (tx, run) => void cancellations.push(...(await stopSubjob(tx, run, subjob))));
    expect(cancellations).toEqual([{ dispatches: [dispatch], tasks: [2] }]);
    const started: Report = {
      type: 'started',
      dispatch,
      task: 2,
      attempt: task.attempt,
      step: subjob.step,
      at: Date.now(),
    };
    expect((await engine.apply([started])).unwanted).toEqual([{ dispatches: [dispatch], tasks: [2] }]);
    expect((await engine.statusesOf(id))['b-1#2']).toBe('STOPPED');
  });

  it('a step that its worker has not reached cancels it when the worker reaches it', async () => {
    const { id, plan } = await engine.start(draw().script('a-1').script('b-1').wire('a-1.file', 'b-1.file').data());
    const [out] = await engine.dispatch(1);
    const reports = new FakeWorkers(plan, always('succeeded'), () => 0).run(out!);
    await engine.apply(reports.slice(0, 1));
    const subjob = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'b-1' } });
    await engine.change(id, (tx, run) => stopSubjob(tx, run, subjob));
    expect((await engine.apply(reports.slice(1, 2))).unwanted).toEqual([]);
    expect((await engine.apply(reports.slice(2, 3))).unwanted).toEqual([{ dispatches: [out!.dispatch], tasks: [0] }]);
    await engine.apply([{ ...(reports[3] as FinishedReport), outcome: 'stopped' }, reports[4]!]);
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'SUCCEEDED', 'b-1': 'STOPPED' });
    await engine.expectSettled(id);
  });

  it('a run with an error fails it, and the error is the message of its subjobs', async () => {
    const { id, plan } = await engine.start(
      draw().script('a-1').script('b-1').script('c-1').wire('a-1.file', 'b-1.file').data(),
    );
    const [out] = await engine.dispatch(1);
    const reports = new FakeWorkers(plan, always('succeeded'), () => 0).run(out!);
    await engine.apply(reports.slice(0, 1));
    await engine.change(id, (tx, run) => stopRun(tx, run, { error: 'too long' }));
    await engine.apply([
      { ...(reports[1] as FinishedReport), outcome: 'stopped', outputs: { files: [] } },
      reports.at(-1)!,
    ]);
    expect(await engine.database.client.run.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'FAILED',
      error: 'too long',
    });
    const subjobs = await engine.database.client.subjob.findMany({ where: { runId: id } });
    expect(subjobs.map(({ status, message }) => ({ status, message }))).toEqual(
      Array(3).fill({ status: 'STOPPED', message: 'too long' }),
    );
  });
});
