import type { Transaction } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

export interface NewCustomer {
  vault: string;
  name: string;
  /** Absent is that of an installation of one's own. */
  plan?: string | undefined;
}

/**
 * Makes customers of vaults that are none yet. What they have used before counts. Until it is told otherwise auth takes it
 * that `enterprise` alone has roles (`planHasRoles`).
 */
export async function addCustomers(tx: Transaction, vaults: NewCustomer[]): Promise<void> {
  const added = await tx.$queryRaw<{ vault: string }[]>`
    INSERT INTO billing.customer (vault_id, name, plan, roles_told)
    SELECT DISTINCT ON (vault) vault, name, coalesce(plan, 'enterprise'), coalesce(plan, 'enterprise') = 'enterprise'
    FROM jsonb_to_recordset(${JSON.stringify(vaults)}::jsonb) AS c(vault uuid, name text, plan text)
    ORDER BY vault
    ON CONFLICT DO NOTHING RETURNING vault_id::text AS vault`;
  await updateRestrictions(
    tx,
    added.map(({ vault }) => vault),
    thisMonth(),
  );
}
