import { budgetChanged } from '@millrace/contracts/billing/budget';
import type { ClientFields } from '@millrace/messaging/rpc/client-fields';
import type { Transaction } from '@millrace/persistence/database';
import { updateRestrictions } from '../restrictions/update-restrictions.js';

export interface BudgetRequest {
  /** Execution units per month; null means no limit. */
  limit: number | null;
  stopRunning: boolean;
  /** The user who requests the change, and their client. */
  user: string;
  client?: ClientFields;
}

/**
 * Sets a customer's usage limit. Usage of the current month counts against it immediately.
 * @param vault the customer must be locked
 */
export async function changeBudget(
  tx: Transaction,
  vault: string,
  { limit, stopRunning, user, client }: BudgetRequest,
  month: string,
): Promise<void> {
  const usageLimit = limit === null ? null : BigInt(limit);
  await tx.customer.update({ where: { vaultId: vault }, data: { usageLimit, stopRunning } });
  tx.emit(budgetChanged, { vault, limit, stopRunning, user, ...client });
  await updateRestrictions(tx, [vault], month);
}
