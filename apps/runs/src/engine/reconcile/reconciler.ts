import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { dispatchQueue, fetchInputs, heartbeats, runDispatch, workerOrders } from '@millrace/contracts/runs/engine';
import type { Heartbeat } from '@millrace/contracts/runs/report';
import { Broker } from '@millrace/messaging/broker/broker';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { countLostDispatches } from '../../metrics/engine-metrics.js';
import { publishCancellation } from '../../workers/cancellation.js';
import { WorkerRegistry, type LostDispatch } from '../../workers/worker-registry.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { stopRun } from '../stop/stop-run.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { RunTransaction } from '../transaction/run-transaction.js';
import { findOverdueRuns, findRestrictedRuns, type RunToStop } from './find-runs-to-stop.js';
import { requeueLostDispatches } from './lose-tasks.js';
import { OpenWork } from './open-work.js';
import {
  findMissingDispatches,
  findMissingFetches,
  findUnclaimedDispatches,
  refetchInputs,
  requeueDispatches,
  withdrawDispatches,
} from './requeue-missing.js';

const INTERVAL_MS = 2_000;
/** A reconciliation that starts this late shows that this process itself was blocked. */
const BLOCKED_AFTER_MS = INTERVAL_MS + 2_000;
/** A heartbeat that could not reach this process must not count as missing, so a lease must pass undisturbed first. */
const GRACE_PERIOD_MS = 10_000;

/**
 * Repairs differences between the database and reality: workers that no longer send heartbeats, runs that exceed their
 * timeout or whose vault is restricted, jobs that the queue has lost.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private timer?: NodeJS.Timeout;
  private undisturbedSince = Date.now();
  private reconciledAt = Date.now();

  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly dispatcher: Dispatcher,
    private readonly workers: WorkerRegistry,
    private readonly broker: Broker,
    private readonly queues: JobQueues,
    private readonly work: OpenWork,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(heartbeats, (heartbeat) => {
      this.handleHeartbeat(heartbeat).catch((error: unknown) =>
        this.logger.error({ message: 'Handling a heartbeat failed', worker: heartbeat.worker, error }),
      );
    });
    this.broker.onReconnect(() => (this.undisturbedSince = Date.now()));
    this.timer = setInterval(() => {
      this.reconcile().catch((error: unknown) =>
        this.logger.error({ message: 'Reconciliation failed; retrying', error, retryInMs: INTERVAL_MS }),
      );
    }, INTERVAL_MS);
  }

  private async handleHeartbeat(heartbeat: Heartbeat): Promise<void> {
    const { lost, unwanted, order } = await this.workers.recordHeartbeat(heartbeat);
    if (order !== null) this.broker.publish(workerOrders, { worker: heartbeat.worker, state: order });
    // The broker may lose a cancellation, so each heartbeat that still lists the dispatch repeats it.
    publishCancellation(this.broker, { dispatches: unwanted });
    await this.requeueLost(lost);
    if (heartbeat.dispatches.length === 0 && (await this.work.look()).runs) this.dispatcher.wake();
  }

  private async reconcile(): Promise<void> {
    const now = Date.now();
    // Heartbeats that arrived while this process was blocked are handled after this.
    if (!this.broker.isConnected || now - this.reconciledAt > BLOCKED_AFTER_MS) this.undisturbedSince = now;
    this.reconciledAt = now;
    const { runs, lostWorkers } = await this.work.look();
    if ((runs || lostWorkers) && Date.now() - this.undisturbedSince > GRACE_PERIOD_MS) {
      await this.requeueLost(await this.workers.findLostDispatches());
    }
    await this.workers.rememberFleets();
    if (!runs) return;
    await this.stopRuns(await findOverdueRuns(this.database));
    await this.stopRuns(await findRestrictedRuns(this.database));
    await this.requeueMissingDispatches();
    await this.repeatMissingFetches();
    this.dispatcher.wake();
  }

  private async requeueLost(lost: LostDispatch[]): Promise<void> {
    if (lost.length === 0) return;
    const dispatches = lost.map(({ dispatch }) => dispatch);
    const locked = await this.transaction.run({
      lock: { dispatches },
      change: async (tx, runs, cancel) => {
        await requeueLostDispatches(tx, runs, lost);
        cancel({ dispatches: dispatches.map(String) });
        return [...runs.values()];
      },
    });
    // Another copy of the service may have handled the same loss first.
    const found = lost.filter(({ dispatch }) => locked.some(({ row }) => row.dispatches?.includes(dispatch)));
    for (const { cause } of found) countLostDispatches(cause, 1);
    for (const run of locked) this.logLost(run, lost);
    this.dispatcher.wake();
  }

  private logLost({ id, row }: LockedRun, lost: LostDispatch[]): void {
    const dispatches = lost.filter(({ dispatch }) => row.dispatches?.includes(dispatch));
    this.logger.warn({
      message: 'Dispatches were lost with their worker; their tasks run again',
      runId: String(id),
      dispatches: dispatches.map(({ dispatch, ...worker }) => ({ dispatch: String(dispatch), ...worker })),
    });
  }

  /** Stops runs that did nothing wrong but must not continue. */
  private async stopRuns(runsToStop: RunToStop[]): Promise<void> {
    if (runsToStop.length === 0) return;
    await this.transaction.run({
      lock: { ids: runsToStop.map(({ id }) => id) },
      change: async (tx, runs, cancel) => {
        const dispatches: string[] = [];
        for (const { id, error } of runsToStop) {
          const run = runs.get(id);
          if (run) dispatches.push(...(await stopRun(tx, run, { error })));
        }
        cancel({ dispatches });
      },
    });
  }

  private async requeueMissingDispatches(): Promise<void> {
    const unclaimed = await findUnclaimedDispatches(this.database);
    if (unclaimed.length === 0) return;
    const missing = await findMissingDispatches(unclaimed, (ids, fleet) =>
      this.queues.findUnfinished(runDispatch, ids, dispatchQueue(fleet)),
    );
    const { fleets } = await this.workers.readFleets();
    const withdrawn = await withdrawDispatches(unclaimed, fleets, (ids, fleet) =>
      this.queues.remove(ids, dispatchQueue(fleet)),
    );
    const requeued = [...new Set([...missing, ...withdrawn])];
    if (requeued.length > 0) await this.database.transaction((tx) => requeueDispatches(tx, requeued));
    countLostDispatches('unqueued', missing.length);
  }

  private async repeatMissingFetches(): Promise<void> {
    const ids = await findMissingFetches(this.database, (jobs) => this.queues.findUnfinished(fetchInputs, jobs));
    if (ids.length === 0) return;
    await this.transaction.run({
      lock: { ids },
      change: async (tx, runs) => {
        for (const run of runs.values()) await refetchInputs(tx, run);
      },
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
