import { Injectable } from '@nestjs/common';
import { vaultLimitsChanged } from '@millrace/contracts/billing/plans';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores the latest limits of each vault. The events may arrive in any order; the highest number is the latest. */
@Injectable()
export class LimitsChangedListener {
  @EventHandler(vaultLimitsChanged)
  async record(changes: Payload<typeof vaultLimitsChanged>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO runs.vault_limit AS l (vault_id, number, running_subjobs, active_runs)
      SELECT DISTINCT ON (vault) vault, number, "runningSubjobs", "activeRuns"
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        AS t(vault uuid, number int, "runningSubjobs" int, "activeRuns" int)
      ORDER BY vault, number DESC
      ON CONFLICT (vault_id) DO UPDATE
        SET number = excluded.number, running_subjobs = excluded.running_subjobs, active_runs = excluded.active_runs
        WHERE l.number < excluded.number`;
  }
}
