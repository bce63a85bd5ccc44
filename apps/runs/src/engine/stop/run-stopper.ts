import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { RunTransaction } from '../transaction/run-transaction.js';
import { stopChildren } from './stop-children.js';

const INTERVAL_MS = 500;
/** Runs that are stopped in turn. */
const MAX_RUNS = 100;

/** Stops the children of runs that have too many for one transaction, piece by piece. Interrupted anywhere, it goes on. */
@Injectable()
export class RunStopper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private isShuttingDown = false;
  private readonly loop = new IntervalLoop('Stopping of runs', INTERVAL_MS, () => this.stopAll());

  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  private async stopAll(): Promise<void> {
    for (let ids = await this.findStopping(); ids.length > 0; ids = await this.findStopping()) {
      for (const id of ids) {
        if (this.isShuttingDown) return;
        await this.transaction.run({
          lock: { ids: [id] },
          change: async (tx, runs) => {
            for (const run of runs.values()) await stopChildren(tx, run);
          },
        });
      }
    }
  }

  private async findStopping(): Promise<bigint[]> {
    const rows = await this.database.client.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM runs.run WHERE stop_segment IS NOT NULL AND deleted_at IS NULL ORDER BY id LIMIT ${MAX_RUNS}::int`;
    return rows.map(({ id }) => id);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    await this.loop.stop();
  }
}
