import { Injectable } from '@nestjs/common';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores suspensions and limits of vaults. The events may arrive in any order; the highest number is the latest. */
@Injectable()
export class VaultAdministeredListener {
  @EventHandler(vaultAdministered)
  async record(decisions: Payload<typeof vaultAdministered>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO runs.vault_override AS o
        (vault_id, number, suspended, stop_runs, active_runs, dispatches, storage_bytes)
      SELECT DISTINCT ON (vault) vault, number, suspended, "stopRuns", "activeRuns", dispatches, "storageBytes"
      FROM jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb) AS t(vault uuid, number int, suspended boolean,
        "stopRuns" boolean, "activeRuns" int, dispatches int, "storageBytes" bigint)
      ORDER BY vault, number DESC
      ON CONFLICT (vault_id) DO UPDATE SET number = excluded.number, suspended = excluded.suspended,
        stop_runs = excluded.stop_runs, active_runs = excluded.active_runs, dispatches = excluded.dispatches,
        storage_bytes = excluded.storage_bytes
        WHERE o.number < excluded.number`;
  }
}
