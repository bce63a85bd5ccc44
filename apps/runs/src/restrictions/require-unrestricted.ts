import { RestrictedError, type StartRestriction } from '@millrace/contracts/billing/restriction';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Checks that a vault may start something that uses workers. Call it in the transaction that starts it. Work that started
 * just before the restriction continues, and is billed as usual.
 * @throws RestrictedError
 */
export async function requireUnrestricted(tx: Pick<Transaction, '$queryRaw'>, vault: string): Promise<void> {
  const [found] = await tx.$queryRaw<{ reason: StartRestriction }[]>`
    SELECT 'suspended' AS reason FROM runs.vault_override WHERE vault_id = ${vault}::uuid AND suspended
    UNION ALL SELECT reason FROM runs.vault_restriction WHERE vault_id = ${vault}::uuid AND reason IS NOT NULL LIMIT 1`;
  if (found) throw new RestrictedError(found.reason);
}
