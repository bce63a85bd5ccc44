import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { thisMonth } from '../month.js';
import { publishPlanRoles } from '../plans/publish-plan-roles.js';
import { findOutdatedRestrictions } from './find-outdated-restrictions.js';
import { updateRestrictions } from './update-restrictions.js';

const EVERY_MS = 30_000;
/** Vaults judged in one transaction. */
const TOGETHER = 500;

/**
 * A new month gives new credits, and an operator may change at any time what a plan gives: judges the vaults whose verdict
 * does not fit, and tells of those whose plan has roles now or has none any more.
 */
@Injectable()
export class RestrictionSweepService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly repeater = new IntervalLoop('Vault restriction update', EVERY_MS, () => this.turn());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.repeater.start({ immediately: true });
  }

  private async turn(): Promise<void> {
    while (await this.database.transaction(publishPlanRoles));
    const month = thisMonth();
    let after: string | null = null;
    do {
      const vaults: string[] = await findOutdatedRestrictions(this.database, month, { after, most: TOGETHER });
      if (vaults.length > 0) await this.database.transaction((tx) => updateRestrictions(tx, vaults, month));
      after = vaults[TOGETHER - 1] ?? null;
    } while (after !== null);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
