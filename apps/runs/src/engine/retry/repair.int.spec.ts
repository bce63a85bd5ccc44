import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { Modules, WorkflowData } from '@millrace/graph/data/workflow-data';
import { changeStepInputs } from '@millrace/graph/params/change-step-inputs';
import { setParams } from '@millrace/graph/params/set-params';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import { ADDED_PARAM, addParam, listScripts } from '@millrace/graph/testing/add-param';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import type { Subjob } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import { changeParameters } from '../parameters/change-parameters.js';
import { pauseRun } from '../pause/pause-run.js';
import { stopRun } from '../stop/stop-run.js';
import { stopSubjob } from '../stop/stop-subjob.js';
import { skipSubjob } from './retry-run.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

/** Lets some steps tolerate failures, and makes some conditions true. `empty` is for the last step of a segment only. */
function tolerate(plan: Plan, seed: number): Plan {
  const isLast = (index: number) => plan.segments.some(({ steps }) => steps.at(-1) === index);
  const steps = plan.steps.map((step) => {
    const choice = (step.index * 5 + seed) % 4;
    if (choice === 0) return { ...step, onError: 'continue' as const };
    if (step.when?.expression.kind === 'test' && choice === 2) {
      return { ...step, when: { ...step.when, expression: { ...step.when.expression, values: [0] } } };
    }
    if (choice === 1 && isLast(step.index) && step.program.kind !== 'split')
      return { ...step, onError: 'empty' as const };
    return step;
  });
  return { ...plan, steps };
}

/** Children of three steps that one worker executes in a row, so that a change often comes between two of them. */
const distributedChain = draw()
  .script('list-1')
  .script('first-1', {}, { distribution: { input: 'file', mode: 'line' } })
  .script('second-1')
  .script('third-1')
  .script('all-1')
  .wire('list-1.file', 'first-1.file')
  .wire('first-1.file', 'second-1.file')
  .wire('second-1.file', 'third-1.file')
  .wire('third-1.folder', 'all-1.folder');
const anyWorkflow: fc.Arbitrary<{ data: WorkflowData; modules: Modules }> = fc.oneof(
  { weight: 2, arbitrary: randomWorkflow },
  fc.constant({ data: distributedChain.data(), modules: {} }),
);

/** One run with a random history: workers that report late or are lost, and users who retry, skip, stop and set parameters. */
class RandomHistory {
  private inFlight: { payload: DispatchPayload; reports: Report[] }[] = [];
  hasSkipped = false;
  private readonly user = newId();

  constructor(
    private readonly id: bigint,
    private readonly workers: FakeWorkers,
    private readonly roll: (sides: number) => number,
    private readonly workflow: { data: WorkflowData; modules: Modules },
  ) {}

  async act(): Promise<void> {
    await engine.check();
    const action = this.roll(18);
    if (action > 14) await this.setParam();
    else if (action > 12) await this.togglePause();
    else if (action === 12) await engine.decide(() => (this.roll(3) === 0 ? 'rejected' : 'approved'));
    else if (action < 5) await this.dispatch();
    else if (action < 8) await this.report();
    else if (action === 8) await this.lose();
    else if (action === 9) await this.stop();
    else await this.repair();
  }

  private async setParam(): Promise<void> {
    const { data, modules } = this.workflow;
    const current = await engine.planOf(this.id);
    const scripts = listScripts(data);
    // A worker has these, and may not have begun all of them.
    const dispatched = this.inFlight.flatMap(({ payload }) => current.steps(payload.segment).map(({ node }) => node));
    const likely = scripts.filter((name) => dispatched.includes(name));
    const chosen = likely.length > 0 && this.roll(4) > 0 ? likely : scripts;
    const node = chosen[this.roll(Math.max(1, chosen.length))];
    if (node === undefined) return;
    const changed = setParams(data, modules, { [node]: { [ADDED_PARAM]: `value ${this.roll(9_999)}` } });
    const [before, after] = [compilePlan(data, modules), compilePlan(changed, modules)];
    const { plan, steps } = changeStepInputs(current.plan, before, after);
    const saved = await engine.plans.save(plan);
    await engine.change(this.id, (tx, run) =>
      changeParameters(tx, run, { plan: saved, steps, inputs: {}, parameters: {} }),
    );
    this.workflow.data = changed as WorkflowData;
  }

  private async togglePause(): Promise<void> {
    await engine.change(this.id, async (tx, run) => {
      if (run.pausedAt !== null) run.resume();
      else if (!run.isEnding) await pauseRun(tx, run, this.user);
    });
  }

  private async dispatch(): Promise<void> {
    const { pausedAt } = await engine.runOf(this.id);
    const payloads = await engine.dispatch(1 + this.roll(4));
    if (pausedAt !== null) expect(payloads).toEqual([]);
    for (const payload of payloads) {
      this.inFlight.push({ payload, reports: this.workers.run(payload) });
    }
  }

  /** Delivers some of the reports of one dispatch. */
  private async report(): Promise<void> {
    const flight = this.inFlight[this.roll(Math.max(1, this.inFlight.length))];
    if (!flight) return;
    await this.deliver(flight.payload, flight.reports.splice(0, 1 + this.roll(flight.reports.length)));
    this.inFlight = this.inFlight.filter(({ reports }) => reports.length > 0);
  }

  /** Applies reports, and checks that every step which begins by them has the present parameters of the run. */
  private async deliver(payload: DispatchPayload, reports: Report[]): Promise<void> {
    const waiting = new Set((await this.subjobs()).flatMap(({ id, status }) => (status === 'PENDING' ? [id] : [])));
    await engine.apply(reports);
    const [used, current] = [await engine.plans.load(payload.plan), await engine.planOf(this.id)];
    const started = (await this.subjobs()).filter(
      ({ id, status }) => waiting.has(id) && ['RUNNING', 'SUCCEEDED', 'FAILED'].includes(status),
    );
    for (const report of reports) {
      if (report.type !== 'started' || current.isHidden(report.step)) continue;
      const { step, task } = report;
      if (!started.some((subjob) => subjob.step === step && subjob.task === task)) continue;
      expect(used.step(step).inputs).toEqual(current.step(step).inputs);
    }
  }

  private subjobs(): Promise<Subjob[]> {
    return engine.database.client.subjob.findMany({ where: { runId: this.id }, orderBy: { id: 'asc' } });
  }

  private async lose(): Promise<void> {
    const at = this.roll(Math.max(1, this.inFlight.length));
    const flight = this.inFlight[at];
    if (flight) await engine.lose(flight.payload);
    // Its reports arrive late.
  }

  private async stop(): Promise<void> {
    const subjob = await this.pick(() => true);
    if (this.roll(4) === 0)
      await engine.change(this.id, (tx, run) => stopRun(tx, run, { error: 'stopped by the test' }));
    else if (subjob) {
      await engine.change(this.id, async (tx, run) => {
        if (!run.isEnding) await stopSubjob(tx, run, subjob);
      });
    }
  }

  private async repair(): Promise<void> {
    const subjob = await this.pick(() => true);
    const failed = await this.pick(({ status }) => ['FAILED', 'STOPPED', 'PENDING'].includes(status));
    const choice = this.roll(4);
    try {
      if (choice === 0) await engine.retry(this.id);
      else if (choice === 1 && subjob) await engine.retry(this.id, { nodes: [subjob.node] });
      else if (choice === 2 && failed) {
        await engine.change(this.id, (tx, run) =>
          skipSubjob(tx, run, failed.id, { reason: 'skipped by a user', mayDecide: () => true }),
        );
        this.hasSkipped = true;
      } else if (subjob) await engine.retry(this.id, { subjobs: [String(subjob.id)] });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
    }
  }

  private async pick(filter: (subjob: Subjob) => boolean): Promise<Subjob | undefined> {
    const candidates = (await this.subjobs()).filter(filter);
    return candidates[this.roll(Math.max(1, candidates.length))];
  }

  /** Delivers all reports, and runs what is ready, until the run has ended. */
  async finish(): Promise<void> {
    await engine.change(this.id, (_tx, run) => Promise.resolve(run.resume()));
    for (let round = 0; ; round++) {
      expect(round).toBeLessThan(200);
      for (const { payload, reports } of this.inFlight.splice(0)) await this.deliver(payload, reports);
      await engine.check();
      await this.dispatch();
      if (this.inFlight.length === 0 && (await engine.decide()) === 0) break;
    }
    expect((await engine.runOf(this.id)).finishedAt).not.toBeNull();
  }
}

describe('repairs at any time', () => {
  it('leave no result out of date, count every subjob once, and a last retry completes the run', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyWorkflow,
        fc.nat(99),
        fc.infiniteStream(fc.nat(9_999)),
        async ({ data: drawn, modules }, seed, dice) => {
          const data = addParam(drawn);
          const { id, plan } = await engine.start(data, modules, {}, (compiled) => tolerate(compiled, seed));
          if (plan.plan.segments.length === 0) return;
          let isFixed = false;
          const workers = new FakeWorkers(
            plan,
            (step, task, attempt) =>
              !isFixed && (step.index * 7 + task * 3 + attempt * 5 + seed) % 5 === 0 ? 'failed' : 'succeeded',
            // Some splits find nothing to distribute.
            (step) => (step.index + seed) % 4,
          );
          const history = new RandomHistory(id, workers, (sides) => Number(dice.next().value) % sides, {
            ...{ data, modules },
          });
          for (let round = 0; round < 40; round++) await history.act();
          await history.finish();
          await engine.expectSettled(id);
          await engine.expectCurrent(id, plan, workers);
          isFixed = true;
          await engine.retry(id).catch((error: unknown) => {
            if (!(error instanceof ValidationError)) throw error;
          });
          await history.finish();
          await engine.expectSettled(id);
          await engine.expectCurrent(id, plan, workers);
          const run = await engine.runOf(id);
          expect([run.status, run.failed, run.stopped]).toEqual(['COMPLETED', 0, 0]);
          const hasConditions = plan.plan.steps.some(({ when }) => when !== undefined);
          if (!history.hasSkipped && !hasConditions) expect(run.skipped).toBe(0);
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
  });
});

it('a retry after a stop runs what gathers from a node that had nothing to distribute', async () => {
  const data = draw()
    .script('list-1')
    .script('each-1', {}, { distribution: { input: 'file', mode: 'line' } })
    .script('all-1')
    .wire('list-1.file', 'each-1.file')
    .wire('each-1.folder', 'all-1.folder')
    .data();
  const { id, plan } = await engine.start(data);
  const workers = new FakeWorkers(plan, always('succeeded'), () => 0);
  while ((await engine.statusesOf(id))['each-1'] !== 'SUCCEEDED') {
    for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload));
  }
  await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
  expect(await engine.statusesOf(id)).toMatchObject({ 'each-1': 'SUCCEEDED', 'all-1': 'STOPPED' });
  await engine.retry(id);
  await engine.runToEnd(workers);
  expect(await engine.statusesOf(id)).toEqual({ 'list-1': 'SUCCEEDED', 'each-1': 'SUCCEEDED', 'all-1': 'SUCCEEDED' });
  await engine.expectSettled(id);
});
