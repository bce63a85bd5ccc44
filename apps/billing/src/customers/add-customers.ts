import type { Transaction } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';
import { publishPlanLimits } from '../plans/publish-plan-limits.js';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

export interface NewCustomer {
  vault: string;
  name: string;
  /** `enterprise` if absent, the plan of a self-hosted installation. */
  plan?: string | undefined;
}

/**
 * Creates customers for vaults without one. Their earlier usage counts. Until billing publishes otherwise, auth assumes
 * that only `enterprise` has roles (`planHasRoles`).
 */
export async function addCustomers(tx: Transaction, vaults: NewCustomer[]): Promise<void> {
  const added = await tx.$queryRaw<{ vault: string }[]>`
    INSERT INTO billing.customer (vault_id, name, plan, roles_told)
    SELECT DISTINCT ON (vault) vault, name, coalesce(plan, 'enterprise'), coalesce(plan, 'enterprise') = 'enterprise'
    FROM jsonb_to_recordset(${JSON.stringify(vaults)}::jsonb) AS c(vault uuid, name text, plan text)
    ORDER BY vault
    ON CONFLICT DO NOTHING RETURNING vault_id::text AS vault`;
  const ids = added.map(({ vault }) => vault);
  await publishPlanLimits(tx, ids);
  await updateRestrictions(tx, ids, thisMonth());
}
