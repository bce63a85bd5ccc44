import { RestrictedError, type Restriction } from '@millrace/contracts/billing/restriction';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Whatever uses the fleet asks this in the transaction that begins it. What was begun a moment before the vault was
 * restricted goes on, and is billed like all else.
 * @throws Restricted
 */
export async function requireUnrestricted(tx: Transaction, vault: string): Promise<void> {
  const [found] = await tx.$queryRaw<{ reason: Restriction }[]>`
    SELECT reason FROM runs.vault_restriction WHERE vault_id = ${vault}::uuid AND reason IS NOT NULL`;
  if (found) throw new RestrictedError(found.reason);
}
