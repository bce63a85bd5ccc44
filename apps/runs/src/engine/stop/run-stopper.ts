import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { OpenWork } from '../reconcile/open-work.js';
import { RunTransaction } from '../transaction/run-transaction.js';
import { stopChildren } from './stop-children.js';
import { stopNextChildren } from './stop-subjob.js';

const INTERVAL_MS = 500;
/** Runs, and task groups, of which one piece each is stopped before it looks again. */
const MAX_PER_BATCH = 100;

/**
 * Stops the children of runs and task groups that have too many for one transaction, piece by piece. Interrupted anywhere, it
 * goes on.
 */
@Injectable()
export class RunStopper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly loop = new IntervalLoop('Stopping of children', INTERVAL_MS, () => this.stopAll());

  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly work: OpenWork,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  private async stopAll(): Promise<void> {
    if (!(await this.work.look()).runs) return;
    for (let isDone = false; !isDone;) {
      const [runs, groups] = [await this.findRuns(), await this.findGroups()];
      const pieces = [
        ...runs.map(
          ({ id }) =>
            () =>
              this.stopRun(id),
        ),
        ...groups.map(
          ({ id, runId }) =>
            () =>
              this.stopGroup(id, runId),
        ),
      ];
      for (const stopPiece of pieces) {
        if (this.isShuttingDown) return;
        await stopPiece();
      }
      isDone = pieces.length === 0;
    }
  }

  private findRuns(): Promise<{ id: bigint }[]> {
    return this.database.client.$queryRaw`
      SELECT id FROM runs.run WHERE stop_segment IS NOT NULL AND deleted_at IS NULL ORDER BY id LIMIT ${MAX_PER_BATCH}::int`;
  }

  /** Looks the run of each group up. Until Postgres has statistics, a join would begin with all runs. */
  private findGroups(): Promise<{ id: bigint; runId: bigint }[]> {
    return this.database.client.$queryRaw`
      SELECT s.id, s.run_id AS "runId" FROM runs.subjob s
      WHERE s.stop_next IS NOT NULL AND (SELECT r.deleted_at IS NULL FROM runs.run r WHERE r.id = s.run_id)
      ORDER BY s.run_id, s.id LIMIT ${MAX_PER_BATCH}::int`;
  }

  private async stopRun(id: bigint): Promise<void> {
    await this.transaction.run({
      lock: { ids: [id] },
      change: async (tx, runs) => {
        for (const run of runs.values()) await stopChildren(tx, run);
      },
    });
  }

  private async stopGroup(id: bigint, runId: bigint): Promise<void> {
    await this.transaction.run({
      lock: { ids: [runId] },
      change: async (tx, runs, cancel) => {
        const [run] = runs.values();
        const group = await tx.subjob.findFirst({ where: { id, stopNext: { not: null } } });
        if (!run || !group) return;
        for (const cancellation of await stopNextChildren(tx, run, group)) cancel(cancellation);
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    await this.loop.stop();
  }
}
