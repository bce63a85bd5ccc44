import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { WakeableLoop } from '@millrace/service/loops/wakeable-loop';
import type { ObjectStore } from '@millrace/storage/object-store';
import { decideApproval, toDecisionFile, type Decision } from '../../approvals/decide-approval.js';
import { findExpired, type ExpiredApproval } from '../../approvals/find-expired.js';
import { OBJECT_STORE } from '../../object-store.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { PlanStore } from '../plans/plan-store.js';
import { OpenWork } from '../reconcile/open-work.js';
import { RunTransaction } from '../transaction/run-transaction.js';
import { applyChecks, checkTasks, findPendingChecks } from './check-tasks.js';

/** Longest time until an approval that has expired is decided, or until a check that another process left is repeated. */
const INTERVAL_MS = 2_000;

/** Checks the conditions of tasks, requests approvals, and decides those that have expired. */
@Injectable()
export class TaskChecker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TaskChecker.name);
  private readonly loop = new WakeableLoop('Checking conditions', () => this.check(), this.logger);

  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly dispatcher: Dispatcher,
    private readonly plans: PlanStore,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly work: OpenWork,
  ) {}

  onApplicationBootstrap(): void {
    this.transaction.onChecks(() => {
      this.work.forget();
      this.loop.wake();
    });
    this.loop.start();
  }

  private async check(): Promise<number> {
    if (!(await this.work.look()).runs) return INTERVAL_MS;
    const pending = await findPendingChecks(this.database);
    for (const tasks of pending) {
      const checked = await checkTasks({ database: this.database, store: this.store, plans: this.plans }, tasks);
      if (!checked) continue;
      await this.dispatcher.change({
        lock: { ids: [checked.run] },
        change: async (tx, runs) => {
          const run = runs.get(checked.run);
          if (run) await applyChecks(tx, run, checked);
        },
      });
    }
    for (const expired of await findExpired(this.database)) await this.expire(expired);
    return pending.length > 0 ? 0 : INTERVAL_MS;
  }

  private async expire({ run: id, plan, ...subjob }: ExpiredApproval): Promise<void> {
    const { program } = (await this.plans.load(plan)).step(subjob.step);
    if (program.kind !== 'approval') return;
    const decision: Decision = {
      decision: program.onExpiry === 'approve' ? 'approved' : 'rejected',
      ...{ by: null, comment: null, at: new Date() },
    };
    const file = await this.store.put(Buffer.from(toDecisionFile(decision)), { durable: true });
    await this.dispatcher.change({
      lock: { ids: [id] },
      change: async (tx, runs) => {
        const run = runs.get(id);
        if (run) await decideApproval(tx, run, subjob, decision, file);
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
