import type { Transaction } from '@millrace/persistence/database';
import type { Attempt } from './begin-attempt.js';
import { orderRemoval } from './order-removal.js';

/**
 * The provider has refused, and no card will come of it. An earlier try of the same attempt, of which nobody has heard, may
 * have left something all the same: that is taken away.
 */
export async function giveUpAttempt(tx: Transaction, { id, account }: Attempt): Promise<void> {
  await tx.cardAttempt.deleteMany({ where: { id } });
  const known = await tx.paymentAccount.findUnique({ where: { id: account.id } });
  if (known?.customer == null) return;
  await orderRemoval(tx, { provider: known.provider, customer: known.customer, attempt: id });
}
