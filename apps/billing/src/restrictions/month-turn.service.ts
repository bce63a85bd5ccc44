import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { Repeater } from '@millrace/service/repeater';
import { thisMonth } from '../month.js';
import { judgeVaults } from './judge-vaults.js';

const EVERY_MS = 30_000;
/** Vaults judged in one transaction. */
const TOGETHER = 500;

/** A new month gives new credits: judges all vaults that nothing was judged of since it began. */
@Injectable()
export class MonthTurn implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly repeater = new Repeater('Judging vaults anew', EVERY_MS, () => this.turn());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.repeater.start({ atOnce: true });
  }

  private async turn(): Promise<void> {
    for (let count = TOGETHER; count === TOGETHER;) count = await this.judgeSome(thisMonth());
  }

  private async judgeSome(month: string): Promise<number> {
    const found = await this.database.client.$queryRaw<{ vault: string }[]>`
      SELECT vault_id::text AS vault FROM billing.customer WHERE judged_month IS DISTINCT FROM ${month}::date
      ORDER BY vault_id LIMIT ${TOGETHER}::int`;
    const vaults = found.map(({ vault }) => vault);
    if (vaults.length > 0) await this.database.transaction((tx) => judgeVaults(tx, vaults, month));
    return found.length;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
