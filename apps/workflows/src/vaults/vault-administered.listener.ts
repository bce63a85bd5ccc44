import { Injectable } from '@nestjs/common';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores storage limits of vaults. The highest number is the latest, because events arrive in any order. */
@Injectable()
export class VaultAdministeredListener {
  @EventHandler(vaultAdministered)
  async record(decisions: Payload<typeof vaultAdministered>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO workflows.vault_override AS o (vault_id, number, storage_bytes)
      SELECT DISTINCT ON (vault) vault, number, "storageBytes"
      FROM jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb)
        AS t(vault uuid, number int, "storageBytes" bigint)
      ORDER BY vault, number DESC
      ON CONFLICT (vault_id) DO UPDATE
        SET number = excluded.number, storage_bytes = excluded.storage_bytes
        WHERE o.number < excluded.number`;
  }
}
