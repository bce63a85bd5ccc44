import type { Restriction } from '@millrace/contracts/billing/restriction';
import type { Transaction } from '@millrace/persistence/database';

/** What billing told of a vault: a reason to refuse, or none any more. */
export interface ToldRestriction {
  vault: string;
  number: number;
  reason: Restriction | null;
  stopRunning: boolean;
}

/** Keeps the latest of what was told of each vault, in whatever order it is heard. */
export async function recordRestrictions(tx: Transaction, told: ToldRestriction[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO runs.vault_restriction AS r (vault_id, number, reason, stop_running)
    SELECT DISTINCT ON (vault) vault, number, reason, "stopRunning"
    FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS t(vault uuid, number int, reason text, "stopRunning" boolean)
    ORDER BY vault, number DESC
    ON CONFLICT (vault_id) DO UPDATE
      SET number = excluded.number, reason = excluded.reason, stop_running = excluded.stop_running
      WHERE r.number < excluded.number`;
}
