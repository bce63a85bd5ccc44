import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';

/** What a provider is to take away: a card by its reference, or what an attempt has left at a customer. */
export type Removal = { provider: string } & ({ reference: string } | { customer: string; attempt: string });

/** Orders that it is taken away, with the transaction's commit. */
export async function enqueueCardRemoval(tx: Transaction, removal: Removal): Promise<void> {
  const { id } = await tx.cardRemoval.create({ data: { id: newId(), ...removal } });
  tx.enqueue(removePaymentCard, { removal: id });
}
