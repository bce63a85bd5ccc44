import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { thisMonth } from '../month.js';
import { publishPlanLimits } from '../plans/publish-plan-limits.js';
import { publishPlanRoles } from '../plans/publish-plan-roles.js';
import { findOutdatedRestrictions } from './find-outdated-restrictions.js';
import { updateRestrictions } from './update-restrictions.js';

const SWEEP_INTERVAL_MS = 30_000;
/** Vaults per transaction. */
const BATCH_SIZE = 500;

/**
 * Updates restrictions when a month begins, and restrictions, roles and limits when an operator has changed a plan in
 * the database.
 */
@Injectable()
export class RestrictionSweepService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps = new IntervalLoop('Vault restriction update', SWEEP_INTERVAL_MS, () => this.sweep());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    while (await this.database.transaction(publishPlanRoles));
    while (await this.database.transaction((tx) => publishPlanLimits(tx)));
    const month = thisMonth();
    let after: string | null = null;
    do {
      const vaults: string[] = await findOutdatedRestrictions(this.database, month, { after, limit: BATCH_SIZE });
      if (vaults.length > 0) await this.database.transaction((tx) => updateRestrictions(tx, vaults, month));
      after = vaults[BATCH_SIZE - 1] ?? null;
    } while (after !== null);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
  }
}
