import { Injectable, Logger } from '@nestjs/common';
import { runChanged } from '@millrace/contracts/runs/engine';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import { Broker } from '@millrace/messaging/broker/broker';
import { Database, type Transaction } from '@millrace/persistence/database';
import { countFinishedRun } from '../../metrics/engine-metrics.js';
import { publishCancellation, type Cancellation } from '../../workers/cancellation.js';
import { PlanStore } from '../plans/plan-store.js';
import { finishRunIfDone } from './finish-run.js';
import { lockRuns, type LockedRuns, type RunSelection } from './lock-runs.js';
import type { LockedRun } from './locked-run.js';
import { logRun } from './log-run.js';
import { writeRuns, type RunNotification } from './write-runs.js';

/**
 * A transaction that changes a run as a whole may take long. Storing 100,000 outputs of a step takes seconds, and splitting
 * a node into a million children a minute on a busy machine: with the usual 15 s it would be retried forever.
 */
const TIMEOUT_MS = 120_000;

/** What differs between the transactions that change runs. A transaction may be retried, so the steps have no side effects. */
export interface RunChange<Result> {
  lock: RunSelection;
  /** May add runs to the locked ones. Cancellations are sent to the workers after the commit. */
  change(tx: Transaction, runs: LockedRuns, cancel: (cancellation: Cancellation) => void): Promise<Result>;
  /** Called after the commit, before the workers and watchers are notified. */
  onCommit?: () => void;
  /** Dispatches the tasks that the change made ready; returns the runs that it locked for this. */
  dispatch?: (tx: Transaction, runs: LockedRuns, changed: Result) => Promise<LockedRun[]>;
}

export interface RunChangeWithRead<Changed, Result> extends RunChange<Changed> {
  /** Reads the response after all writes. */
  read(tx: Transaction, changed: Changed): Promise<Result>;
}

/** The steps that every change of runs has in common: lock, change, dispatch, finish, write, flush, commit, notify. */
@Injectable()
export class RunTransaction {
  private readonly logger = new Logger(RunTransaction.name);
  private readonly checkListeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly broker: Broker,
  ) {}

  /** Calls the listener after each commit that left conditions to check or approvals to request. */
  onChecks(listener: () => void): void {
    this.checkListeners.push(listener);
  }

  /** @returns what `change` returns, or `read` if it is given */
  async run<Changed, Result>(steps: RunChangeWithRead<Changed, Result>): Promise<Result>;
  async run<Result>(steps: RunChange<Result>): Promise<Result>;
  async run<Changed, Result>(
    steps: RunChange<Changed> & Partial<RunChangeWithRead<Changed, Result>>,
  ): Promise<Changed | Result> {
    let notifications: RunNotification[] = [];
    let cancelled: Cancellation[] = [];
    let touched: LockedRun[] = [];
    const result = await this.database.transaction(
      async (tx) => {
        cancelled = [];
        const runs = await lockRuns(tx, this.plans, steps.lock);
        const changed = await steps.change(tx, runs, (cancellation) => cancelled.push(cancellation));
        const dispatched = (await steps.dispatch?.(tx, runs, changed)) ?? [];
        touched = [...new Set([...runs.values(), ...dispatched])];
        for (const run of touched) await finishRunIfDone(tx, run);
        notifications = await writeRuns(tx, touched);
        if (!steps.read) return changed;
        await tx.flush();
        return steps.read(tx, changed);
      },
      { timeoutMs: TIMEOUT_MS, findsByKey: true },
    );
    steps.onCommit?.();
    for (const run of touched) this.recordStatus(run);
    for (const notification of notifications) this.broker.publish(runChanged, notification, notification.run);
    for (const cancellation of cancelled) publishCancellation(this.broker, cancellation);
    if (touched.some(({ hasChecks }) => hasChecks)) for (const listener of this.checkListeners) listener();
    return result;
  }

  private recordStatus(run: LockedRun): void {
    logRun(this.logger, run);
    if (run.status !== run.row.status && isFinalRun(run.status)) countFinishedRun(run.status);
  }
}
