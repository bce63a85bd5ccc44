import { Injectable } from '@nestjs/common';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores the row limits of vaults. The events may arrive in any order; the highest number is the latest. */
@Injectable()
export class VaultAdministeredListener {
  @EventHandler(vaultAdministered)
  async record(decisions: Payload<typeof vaultAdministered>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO datasets.vault_override AS o (vault_id, number, live_rows)
      SELECT DISTINCT ON (vault) vault, number, "liveRows"
      FROM jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb) AS t(vault uuid, number int, "liveRows" bigint)
      ORDER BY vault, number DESC
      ON CONFLICT (vault_id) DO UPDATE SET number = excluded.number, live_rows = excluded.live_rows
        WHERE o.number < excluded.number`;
  }
}
