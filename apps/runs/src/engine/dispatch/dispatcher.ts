import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { withoutCause } from '@millrace/messaging/tracing/cause';
import { ContentsGoneError } from '@millrace/persistence/contents-gone-error';
import { Database } from '@millrace/persistence/database';
import { VAULT_LIMITS, type VaultLimits } from '../../restrictions/vault-limits.js';
import { WorkerRegistry } from '../../workers/worker-registry.js';
import { PlanStore } from '../plans/plan-store.js';
import { RunTransaction, type RunChange, type RunChangeWithRead } from '../transaction/run-transaction.js';
import type { ClaimedDispatch } from './build-payloads.js';
import { dispatchReadyTasks, dispatchTasks, type DispatchContext } from './dispatch-tasks.js';
import { DurationEstimator } from './duration-estimator.js';
import { OutputLists } from './output-lists.js';

/** Shortest time between two dispatches under load. */
const MIN_INTERVAL_MS = 50;

/** Dispatches ready tasks to workers: in the transaction that makes them ready, and on request for everything else. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Dispatcher.name);
  private isOpen = true;
  private isRequested = false;
  private dispatching: Promise<void> | null = null;
  private dispatchedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly plans: PlanStore,
    private readonly outputs: OutputLists,
    private readonly durations: DurationEstimator,
    private readonly workers: WorkerRegistry,
    @Inject(VAULT_LIMITS) private readonly vaultLimits: VaultLimits,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Dispatches soon, because tasks may be ready. Calls that come in the meantime cost nothing. */
  wake(): void {
    this.isRequested = true;
    this.dispatching ??= withoutCause(() => this.dispatch()).finally(() => (this.dispatching = null));
  }

  /**
   * Changes runs and dispatches ready tasks, in one transaction.
   * @param mayDispatch whether the change may have made a task ready, or room for one; otherwise nothing is looked up. If another
   * transaction has left out a run because this one had locked it, it still had room, and dispatches again.
   * @returns what `change` returns, or `read` if it is given
   */
  change<Changed, Result>(
    steps: RunChangeWithRead<Changed, Result>,
    mayDispatch?: (changed: Changed) => boolean,
  ): Promise<Result>;
  change<Result>(steps: RunChange<Result>, mayDispatch?: (changed: Result) => boolean): Promise<Result>;
  async change<Result>(steps: RunChange<Result>, mayDispatch = (_: Result) => true): Promise<Result> {
    try {
      return await this.tryChange(steps, mayDispatch);
    } catch (error) {
      if (!(error instanceof ContentsGoneError)) throw error;
      // It may be a list in memory that no run referred to for a while.
      this.outputs.forget();
      return this.tryChange(steps, mayDispatch);
    }
  }

  private async tryChange<Result>(
    steps: RunChange<Result>,
    mayDispatch: (changed: Result) => boolean,
  ): Promise<Result> {
    const context = await this.createContext();
    let hasRoom = false;
    let dispatches: ClaimedDispatch[] = [];
    const result = await this.transaction.run({
      ...steps,
      dispatch: async (tx, runs, changed) => {
        if (!mayDispatch(changed)) return [];
        const dispatched = await dispatchTasks(tx, context, runs);
        ({ hasRoom, dispatches } = dispatched);
        return dispatched.runs;
      },
    });
    this.logDispatches(dispatches);
    if (hasRoom) this.wake();
    return result;
  }

  private async createContext(): Promise<DispatchContext> {
    const { plans, outputs, durations } = this;
    const view = await this.workers.readFleets();
    return { plans, outputs, durations, view, perVault: this.vaultLimits.dispatches };
  }

  private async dispatch(): Promise<void> {
    while (this.isRequested && this.isOpen) {
      const pause = this.dispatchedAt + MIN_INTERVAL_MS - performance.now();
      if (pause > 0) await sleep(pause);
      this.dispatchedAt = performance.now();
      this.isRequested = false;
      try {
        const context = await this.createContext();
        const { dispatches, hasMore } = await dispatchReadyTasks(this.database, this.transaction, context);
        this.logDispatches(dispatches);
        this.isRequested ||= hasMore;
      } catch (error) {
        if (error instanceof ContentsGoneError) this.outputs.forget();
        this.logger.error({ message: 'Dispatching tasks failed; the next reconciliation retries', error });
      }
    }
  }

  private logDispatches(dispatches: ClaimedDispatch[]): void {
    for (const { run, dispatch, segment, tasks } of dispatches) {
      const ids = { runId: String(run.id), dispatchId: String(dispatch) };
      this.logger.debug({ message: 'Tasks dispatched', ...ids, segment, tasks: tasks.length });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOpen = false;
    await this.dispatching;
  }
}
