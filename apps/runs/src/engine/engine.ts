import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RESTRICTION_MESSAGES } from '@millrace/contracts/billing/restriction';
import { UnavailableError } from '@millrace/contracts/kit/api-error';
import { cancellations, fetchInputs, heartbeats, runChanged, runDispatch } from '@millrace/contracts/runs/engine';
import type { Heartbeat, Report, ReportBatch } from '@millrace/contracts/runs/report';
import { Broker } from '@millrace/messaging/broker/broker';
import { Batcher } from '@millrace/messaging/events/batcher';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database, type Transaction } from '@millrace/persistence/database';
import { findRestricted } from '../restrictions/find-restricted.js';
import type { Loss } from '../workers/lost-dispatch.js';
import { Fleet } from '../workers/worker-registry.js';
import { handOut, releaseTasks, type ReleaseContext } from './dispatch/dispatch-tasks.js';
import { Pace } from './dispatch/duration-estimator.js';
import { GatherStore } from './dispatch/output-lists.js';
import { PlanStore } from './plans/plan-store.js';
import { loseDispatches } from './reconcile/lose-tasks.js';
import { findUnfetched, refetch } from './reconcile/refetch-inputs.js';
import { findUnqueued, putBack } from './reconcile/requeue-dispatches.js';
import { applyReports, type WorkerReport } from './reports/apply-reports.js';
import { stopRun } from './stop/stop-run.js';
import { ENGINE_TRANSACTION } from './transaction/engine-transaction.js';
import { lockRuns, type LockedRun } from './transaction/locked-run.js';
import { writeRuns, type Told } from './transaction/write-runs.js';

/** Report messages applied in one transaction; each holds what one worker saw in a few milliseconds. */
const MAX_MESSAGES = 200;
/** Under load reports are applied this often at the most: a transaction costs more than what is in it. */
const PACE_MS = 15;
/** Under load tasks are handed out this often at the most. */
const RELEASE_PACE_MS = 50;
/** Catches what a lost wake-up left lying. Nothing depends on it while all is well. */
const SWEEP_MS = 2_000;
/** A sweep that comes so late comes from a process that was held up itself. */
const HELD_UP_MS = SWEEP_MS + 2_000;
/** Heartbeats that could not reach us must not count as missing: none is missed before a lease has passed in peace. */
const GRACE_MS = 10_000;

/** A message of reports, whose sender waits. */
interface Said {
  message: ReportBatch;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Turns the engine: applies reports, hands out what is ready, notices workers that are gone and runs whose time is up. */
@Injectable()
export class Engine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Engine.name);
  private isOpen = true;
  private readonly said = new Batcher<Said>((batch) => this.apply(batch), { most: MAX_MESSAGES, paceMs: PACE_MS });
  private releasing: Promise<void> | null = null;
  private wanted = false;
  private releasedAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private inPeaceSince = Date.now();
  private sweptAt = Date.now();

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly queues: JobQueues,
    private readonly plans: PlanStore,
    private readonly gathers: GatherStore,
    private readonly fleet: Fleet,
    private readonly pace: Pace,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(heartbeats, (beat) => void this.attempt('noting a heartbeat', () => this.note(beat)));
    this.broker.onReconnect(() => (this.inPeaceSince = Date.now()));
    this.timer = setInterval(() => void this.attempt('sweeping', () => this.sweep()), SWEEP_MS);
    this.wake();
  }

  /** Something may be ready: hands it out soon, however often this is called meanwhile. */
  wake(): void {
    this.wanted = true;
    this.releasing ??= this.release().finally(() => (this.releasing = null));
  }

  /** Tells those who watch, after a commit. */
  tell(told: Told[]): void {
    for (const change of told) this.broker.publish(runChanged, change, change.run);
  }

  /** Tells all workers to end what they run of these dispatches. */
  cancel(dispatches: string[], tasks?: number[]): void {
    if (dispatches.length > 0) this.broker.publish(cancellations, { dispatches, ...(tasks && { tasks }) });
  }

  /** Resolves once the reports are applied, together with what else has come meanwhile. */
  take(message: ReportBatch): Promise<void> {
    if (!this.isOpen)
      return Promise.reject(
        new UnavailableError('The runs service is restarting; nothing was done. Try again shortly.'),
      );
    return new Promise((resolve, reject) => this.said.push({ message, resolve, reject }));
  }

  /** What cannot be applied is tried apart from the rest, so that only its sender has to say it again. */
  private async apply(batch: Said[]): Promise<void> {
    try {
      const all = await this.read(batch);
      const { stale, unwanted, durations } = await this.change(async (tx) => {
        const { runs, ...answer } = await applyReports(tx, this.plans, all);
        return { runs, answer };
      });
      for (const { plan, segment, ms } of durations) this.pace.note(plan, segment, ms);
      for (const { resolve } of batch) resolve();
      this.cancel([...new Set(stale)]);
      for (const { dispatch, tasks } of unwanted) this.cancel([dispatch], tasks);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await this.apply([one]);
    }
  }

  /** Long lists of outputs lie in the store; they are read before the transaction begins. */
  private async read(batch: Said[]): Promise<WorkerReport[]> {
    const all: WorkerReport[] = [];
    for (const { worker, reports } of batch.map(({ message }) => message)) {
      for (const report of reports) all.push(await this.open(worker, report));
    }
    return all;
  }

  private async open(worker: string, report: Report): Promise<WorkerReport> {
    if (report.type !== 'finished') return { worker, report };
    const { outputs } = report;
    return { worker, report: { ...report, outputs: { files: await this.gathers.open(outputs) } }, outputs };
  }

  /**
   * Runs `work` in a transaction that hands out at once what it made ready, and tells of it after the commit.
   * @returns the answer of `work`, which also gives the runs that it locked
   */
  async change<T>(work: (tx: Transaction) => Promise<{ runs: Map<bigint, LockedRun>; answer: T }>): Promise<T> {
    const context = await this.releaseContext();
    let after: () => void = () => undefined;
    const answer = await this.database.transaction(async (tx) => {
      const { runs, answer } = await work(tx);
      const release = await handOut(tx, context, runs);
      const told = await writeRuns(tx, new Set([...runs.values(), ...release.runs]));
      after = () => {
        this.tell(told);
        if (release.hasRoom) this.wake();
      };
      return answer;
    }, ENGINE_TRANSACTION);
    after();
    return answer;
  }

  private async releaseContext(): Promise<ReleaseContext> {
    return { plans: this.plans, gathers: this.gathers, pace: this.pace, slots: await this.fleet.slots() };
  }

  private async release(): Promise<void> {
    while (this.wanted && this.isOpen) {
      const pause = this.releasedAt + RELEASE_PACE_MS - performance.now();
      if (pause > 0) await sleep(pause);
      this.releasedAt = performance.now();
      this.wanted = false;
      await this.attempt('handing out tasks', async () => {
        const { told, more } = await releaseTasks(this.database, await this.releaseContext());
        this.tell(told);
        this.wanted ||= more;
      });
    }
  }

  private async note(beat: Heartbeat): Promise<void> {
    const { lost, unwanted } = await this.fleet.note(beat);
    // A word to stop may be lost with the broker; it is said again for as long as it is not heeded.
    this.cancel(unwanted);
    await this.lose(lost);
    if (beat.dispatches.length === 0) this.wake();
  }

  private async lose(losses: Loss[]): Promise<void> {
    if (losses.length === 0) return;
    this.logger.warn({
      message: 'Dispatches were lost with their worker; their tasks run again',
      losses: losses.map(toLog),
    });
    this.tell(await this.database.transaction((tx) => loseDispatches(tx, this.plans, losses), ENGINE_TRANSACTION));
    this.cancel(losses.map(({ dispatch }) => String(dispatch)));
    this.wake();
  }

  private async sweep(): Promise<void> {
    const now = Date.now();
    // Heartbeats that came while this process was held up are noted after this.
    if (!this.broker.isConnected || now - this.sweptAt > HELD_UP_MS) this.inPeaceSince = now;
    this.sweptAt = now;
    if (Date.now() - this.inPeaceSince > GRACE_MS) await this.lose(await this.fleet.findLost());
    await this.endOverdue();
    await this.endRestricted();
    const unqueued = await findUnqueued(this.database, (ids) => this.queues.known(runDispatch, ids));
    if (unqueued.length > 0) await this.database.transaction((tx) => putBack(tx, unqueued));
    const unfetched = await findUnfetched(this.database, (ids) => this.queues.known(fetchInputs, ids));
    if (unfetched.length > 0) await this.refetch(unfetched);
    this.wake();
  }

  private async refetch(ids: bigint[]): Promise<void> {
    const told = await this.database.transaction(async (tx) => {
      const runs = await lockRuns(tx, this.plans, ids);
      for (const run of runs.values()) await refetch(tx, run);
      return writeRuns(tx, runs.values());
    });
    this.tell(told);
  }

  private async endOverdue(): Promise<void> {
    const overdue = await this.database.client.run.findMany({
      where: { finishedAt: null, deadline: { lt: new Date() }, status: { not: 'STOPPING' } },
      select: { id: true },
    });
    await this.end(overdue.map(({ id }) => ({ id, why: 'the run took longer than its timeout_seconds' })));
  }

  private async endRestricted(): Promise<void> {
    const restricted = await findRestricted(this.database);
    await this.end(restricted.map(({ id, reason }) => ({ id, why: RESTRICTION_MESSAGES[reason] })));
  }

  /** Ends runs that have done nothing wrong but may not go on. */
  private async end(runs: { id: bigint; why: string }[]): Promise<void> {
    if (runs.length === 0) return;
    const { told, out } = await this.database.transaction(async (tx) => {
      const ids = runs.map(({ id }) => id);
      const locked = await lockRuns(tx, this.plans, ids);
      const dispatches: string[] = [];
      for (const { id, why } of runs) {
        const run = locked.get(id);
        if (run) dispatches.push(...(await stopRun(tx, run, why)));
      }
      return { told: await writeRuns(tx, locked.values()), out: dispatches };
    }, ENGINE_TRANSACTION);
    this.tell(told);
    this.cancel(out);
  }

  /** What fails is tried again at the next sweep. */
  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error({ message: `Failed at ${what}`, error });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOpen = false;
    clearInterval(this.timer);
    await this.said.settled();
    await this.releasing;
  }
}

const toLog = ({ dispatch, worker, host, lastSeen, how }: Loss) => ({
  dispatch: String(dispatch),
  worker,
  host,
  lastSeen,
  how,
});
