import { planRolesChanged } from '@millrace/contracts/billing/plans';
import type { Transaction } from '@millrace/persistence/database';

/** Vaults per transaction. */
const BATCH_SIZE = 500;

interface ChangedPlan {
  vault: string;
  number: number;
  plan: string;
  roles: boolean;
}

/**
 * Publishes whether a plan has roles, for vaults whose plan differs from the last published state. An operator may change
 * the roles of a plan at any time.
 * @returns whether there may be more such vaults
 */
export async function publishPlanRoles(tx: Transaction): Promise<boolean> {
  const changed = await tx.$queryRaw<ChangedPlan[]>`
    WITH unpublished AS (
      SELECT c.vault_id, p.roles FROM billing.customer c JOIN billing.plan p ON p.name = c.plan
      WHERE c.roles_told <> p.roles ORDER BY c.vault_id LIMIT ${BATCH_SIZE}::int FOR UPDATE OF c)
    UPDATE billing.customer c SET roles_told = u.roles, plan_number = c.plan_number + 1
    FROM unpublished u WHERE u.vault_id = c.vault_id
    RETURNING c.vault_id::text AS vault, c.plan_number AS number, c.plan, u.roles`;
  for (const plan of changed) tx.emit(planRolesChanged, plan);
  return changed.length === BATCH_SIZE;
}
