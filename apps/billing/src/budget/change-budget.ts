import { budgetChanged } from '@millrace/contracts/billing/budget';
import type { Transaction } from '@millrace/persistence/database';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

export interface BudgetRequest {
  /** Execution units a month; null is without limit. */
  limit: number | null;
  stopRunning: boolean;
  /** Who asks for it, and from where. */
  user: string;
  address?: string | undefined;
}

/**
 * Sets the limit of a customer. What was used in the month counts at once.
 * @param vault locked
 */
export async function changeBudget(
  tx: Transaction,
  vault: string,
  { limit, stopRunning, user, address }: BudgetRequest,
  month: string,
): Promise<void> {
  const usageLimit = limit === null ? null : BigInt(limit);
  await tx.customer.update({ where: { vaultId: vault }, data: { usageLimit, stopRunning } });
  tx.emit(budgetChanged, { vault, limit, stopRunning, user, ...(address !== undefined && { address }) });
  await updateRestrictions(tx, [vault], month);
}
