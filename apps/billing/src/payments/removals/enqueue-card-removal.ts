import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';

/** What to remove from a provider: a card by its reference, or everything that an attempt has left at a customer. */
export type CardRemoval = { provider: string } & ({ reference: string } | { customer: string; attempt: string });

/** Records a removal and enqueues its job. */
export async function enqueueCardRemoval(tx: Transaction, removal: CardRemoval): Promise<void> {
  const { id } = await tx.cardRemoval.create({ data: { id: newId(), ...removal } });
  tx.enqueue(removePaymentCard, { removal: id });
}
