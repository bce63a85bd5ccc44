import { planRolesChanged } from '@millrace/contracts/billing/plans';
import type { Transaction } from '@millrace/persistence/database';

/** Vaults told of in one transaction. */
const TOGETHER = 500;

interface Amended {
  vault: string;
  number: number;
  plan: string;
  roles: boolean;
}

/**
 * Tells of vaults whose plan has roles, or has none any more, where auth knows it otherwise: an operator may change that
 * at any time.
 * @returns whether there may be more of them
 */
export async function publishPlanRoles(tx: Transaction): Promise<boolean> {
  const amended = await tx.$queryRaw<Amended[]>`
    WITH untold AS (
      SELECT c.vault_id, p.roles FROM billing.customer c JOIN billing.plan p ON p.name = c.plan
      WHERE c.roles_told <> p.roles ORDER BY c.vault_id LIMIT ${TOGETHER}::int FOR UPDATE OF c)
    UPDATE billing.customer c SET roles_told = u.roles, plan_number = c.plan_number + 1
    FROM untold u WHERE u.vault_id = c.vault_id
    RETURNING c.vault_id::text AS vault, c.plan_number AS number, c.plan, u.roles`;
  for (const one of amended) tx.emit(planRolesChanged, one);
  return amended.length === TOGETHER;
}
