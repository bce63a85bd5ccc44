import { vaultLimitsChanged } from '@millrace/contracts/billing/plans';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Vaults per transaction. */
const BATCH_SIZE = 500;

/**
 * Publishes the limits of vaults whose plan has others than those last published. An operator may change the limits of a
 * plan at any time.
 * @param vaults only these; all if absent
 * @returns whether there may be more such vaults
 */
export async function publishPlanLimits(tx: Transaction, vaults?: string[]): Promise<boolean> {
  const isChosen = vaults ? Prisma.sql`c.vault_id = ANY(${vaults}::uuid[])` : Prisma.sql`true`;
  const changed = await tx.$queryRaw<Payload<typeof vaultLimitsChanged>[]>`
    WITH unpublished AS MATERIALIZED (
      SELECT c.vault_id, p.max_running_subjobs, p.max_active_runs
      FROM billing.customer c JOIN billing.plan p ON p.name = c.plan
      WHERE (c.running_subjobs_published, c.active_runs_published)
        IS DISTINCT FROM (p.max_running_subjobs, p.max_active_runs) AND ${isChosen}
      ORDER BY c.vault_id LIMIT ${BATCH_SIZE}::int FOR UPDATE OF c)
    UPDATE billing.customer c
    SET running_subjobs_published = u.max_running_subjobs, active_runs_published = u.max_active_runs,
      limits_number = c.limits_number + 1
    FROM unpublished u WHERE u.vault_id = c.vault_id
    RETURNING c.vault_id::text AS vault, c.limits_number AS number,
      c.running_subjobs_published AS "runningSubjobs", c.active_runs_published AS "activeRuns"`;
  for (const limits of changed) tx.emit(vaultLimitsChanged, limits);
  return changed.length === BATCH_SIZE;
}
