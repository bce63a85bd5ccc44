import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches } from '@millrace/persistence/delete-in-batches';
import { Prisma } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { monthsAgo } from '../month.js';
import { USAGE_RANGE_DAYS } from '../usage/usage-days.js';
import { rollUpEntries } from './roll-up-entries.js';

/** Injection token: number of full months before the current one whose entries are kept individually. */
export const USAGE_DETAIL_MONTHS = Symbol('USAGE_DETAIL_MONTHS');

const INTERVAL_MS = 60 * 60_000;
/** Rows per transaction. */
const BATCH_SIZE = 5_000;

/** Rolls up the entries of old months into sums of days, and deletes what the sums no longer need. */
@Injectable()
export class UsageRollUpService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new IntervalLoop('Roll-up of usage', INTERVAL_MS, () => this.rollUp());
  private isClosing = false;

  constructor(
    private readonly database: Database,
    @Inject(USAGE_DETAIL_MONTHS) private readonly months: number,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  private async rollUp(): Promise<void> {
    const month = monthsAgo(new Date(), this.months);
    for (let vault = await this.nextVault(null); vault !== null; vault = await this.nextVault(vault)) {
      await this.rollUpVault(vault, month);
    }
    await deleteInBatches(
      this.database.client,
      'billing.usage_run',
      Prisma.sql`last_day < current_date - ${USAGE_RANGE_DAYS}::int - 1`,
    );
  }

  /** One step in the index for each vault, however many entries it has. */
  private async nextVault(after: string | null): Promise<string | null> {
    const [next] = await this.database.client.$queryRaw<{ vault: string }[]>`
      SELECT vault_id::text AS vault FROM billing.usage_entry
      WHERE ${after}::uuid IS NULL OR vault_id > ${after}::uuid ORDER BY vault_id, finished_at LIMIT 1`;
    return next?.vault ?? null;
  }

  private async rollUpVault(vault: string, month: string): Promise<void> {
    let moved = BATCH_SIZE;
    while (moved === BATCH_SIZE && !this.isClosing) {
      moved = await this.database.transaction((tx) => rollUpEntries(tx, vault, { month, limit: BATCH_SIZE }));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.loop.stop();
  }
}
