import { executionUnits } from '@millrace/contracts/billing/execution-units';
import type { Payload } from '@millrace/contracts/kit/event';
import type { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import type { Transaction } from '@millrace/persistence/database';

export type Attempt = Payload<typeof subjobsFinished>['entries'][number];

/**
 * Adds ledger entries and adds them to the monthly sums. An attempt at a subjob has one entry, even if several events
 * report it. Entries never change, so a second report of an attempt has no effect. Rows are written in the order of their
 * keys, so that two instances that write the same rows do not deadlock.
 * @returns the vaults that got an entry
 */
export async function addEntries(tx: Transaction, attempts: Attempt[]): Promise<string[]> {
  const rows = attempts.map((attempt, at) => ({ ...attempt, at, units: executionUnits(attempt.cpuMs) }));
  const added = await tx.$queryRaw<{ vault: string }[]>`
    WITH added AS (
      INSERT INTO billing.usage_entry (subjob, attempt, run, vault_id, workflow_id, space_id, cpu_ms, units, finished_at)
      SELECT e.subjob, e.attempt, e.run, e.vault, e.workflow, e.space, e."cpuMs", e.units, e."finishedAt"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e(
        at int, subjob bigint, attempt int, run bigint, vault uuid, workflow uuid, space uuid,
        "cpuMs" float8, units int, "finishedAt" timestamptz)
      ORDER BY e.subjob, e.attempt, e.at
      ON CONFLICT (subjob, attempt) DO NOTHING
      RETURNING vault_id, date_trunc('month', finished_at AT TIME ZONE 'UTC')::date AS month, units, cpu_ms)
    INSERT INTO billing.usage_period AS p (vault_id, month, units, cpu_ms, subjobs)
    SELECT vault_id, month, sum(units), sum(cpu_ms), count(*) FROM added GROUP BY vault_id, month ORDER BY vault_id, month
    ON CONFLICT (vault_id, month) DO UPDATE
      SET units = p.units + excluded.units, cpu_ms = p.cpu_ms + excluded.cpu_ms, subjobs = p.subjobs + excluded.subjobs
    RETURNING vault_id::text AS vault`;
  return [...new Set(added.map(({ vault }) => vault))];
}
