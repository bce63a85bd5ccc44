import { Injectable } from '@nestjs/common';
import { vaultRestricted, vaultUnrestricted } from '@millrace/contracts/billing/events';
import type { Restriction } from '@millrace/contracts/billing/restriction';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores which vaults may start nothing. If the restriction also stops runs, the engine's `Reconciler` does that. */
@Injectable()
export class VaultRestrictedListener {
  @EventHandler(vaultRestricted)
  restrict(restrictions: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(tx, restrictions);
  }

  @EventHandler(vaultUnrestricted)
  release(restrictions: Payload<typeof vaultUnrestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(
      tx,
      restrictions.map(({ vault, number }) => ({ vault, number, reason: null, stopRunning: false })),
    );
  }
}

/** The restriction of a vault as billing published it; the reason is null once there is none. */
interface PublishedRestriction {
  vault: string;
  number: number;
  reason: Restriction | null;
  stopRunning: boolean;
}

/** Stores the latest restriction of each vault. The events may arrive in any order; the highest number is the latest. */
async function recordRestrictions(tx: Transaction, restrictions: PublishedRestriction[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO runs.vault_restriction AS r (vault_id, number, reason, stop_running)
    SELECT DISTINCT ON (vault) vault, number, reason, "stopRunning"
    FROM jsonb_to_recordset(${JSON.stringify(restrictions)}::jsonb) AS t(vault uuid, number int, reason text, "stopRunning" boolean)
    ORDER BY vault, number DESC
    ON CONFLICT (vault_id) DO UPDATE
      SET number = excluded.number, reason = excluded.reason, stop_running = excluded.stop_running
      WHERE r.number < excluded.number`;
}
