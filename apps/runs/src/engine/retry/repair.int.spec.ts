import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { Plan } from '@millrace/graph/plan/plan';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import type { Subjob } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
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

/** One run with a random history: workers that report late or are lost, and users who retry, skip and stop. */
class RandomHistory {
  private inFlight: { payload: DispatchPayload; reports: Report[] }[] = [];
  hasSkipped = false;
  private readonly user = newId();

  constructor(
    private readonly id: bigint,
    private readonly workers: FakeWorkers,
    private readonly roll: (sides: number) => number,
  ) {}

  async act(): Promise<void> {
    await engine.check();
    const action = this.roll(15);
    if (action > 12) await this.togglePause();
    else if (action === 12) await engine.decide(() => (this.roll(3) === 0 ? 'rejected' : 'approved'));
    else if (action < 5) await this.dispatch();
    else if (action < 8) await this.report();
    else if (action === 8) await this.lose();
    else if (action === 9) await this.stop();
    else await this.repair();
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
    await engine.apply(flight.reports.splice(0, 1 + this.roll(flight.reports.length)));
    this.inFlight = this.inFlight.filter(({ reports }) => reports.length > 0);
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
      } else if (subjob) await engine.retry(this.id, { subjobs: [subjob.id] });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
    }
  }

  private async pick(filter: (subjob: Subjob) => boolean): Promise<Subjob | undefined> {
    const rows = await engine.database.client.subjob.findMany({ where: { runId: this.id }, orderBy: { id: 'asc' } });
    const candidates = rows.filter(filter);
    return candidates[this.roll(Math.max(1, candidates.length))];
  }

  /** Delivers all reports, and runs what is ready, until the run has ended. */
  async finish(): Promise<void> {
    await engine.change(this.id, (_tx, run) => Promise.resolve(run.resume()));
    for (let round = 0; ; round++) {
      expect(round).toBeLessThan(200);
      for (const { reports } of this.inFlight.splice(0)) await engine.apply(reports);
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
        randomWorkflow,
        fc.nat(99),
        fc.infiniteStream(fc.nat(9_999)),
        async ({ data, modules }, seed, dice) => {
          const { id, plan } = await engine.start(data, modules, {}, (compiled) => tolerate(compiled, seed));
          if (plan.plan.segments.length === 0) return;
          let isFixed = false;
          const workers = new FakeWorkers(
            plan,
            (step, task, attempt) =>
              !isFixed && (step.index * 7 + task * 3 + attempt * 5 + seed) % 5 === 0 ? 'failed' : 'succeeded',
            () => 3,
          );
          const history = new RandomHistory(id, workers, (sides) => Number(dice.next().value) % sides);
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
