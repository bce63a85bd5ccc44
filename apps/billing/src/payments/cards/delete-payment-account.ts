import type { Transaction } from '@millrace/persistence/database';
import { deleteCard } from './delete-card.js';
import { lockCards } from './lock-cards.js';

/** A vault's customer is gone at the provider, and the cards with it. The next card makes another customer. */
export async function deletePaymentAccount(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx.paymentAccount.findUnique({ where: { id: accountId } });
  if (!account) return;
  const { vaultId, provider } = account;
  await lockCards(tx, vaultId);
  const { count } = await tx.paymentAccount.deleteMany({ where: { id: accountId } });
  if (count === 0) return;
  const cards = await tx.paymentMethod.findMany({ where: { vaultId, provider }, orderBy: { id: 'asc' } });
  for (const { id } of cards) {
    // The default moves from one to the next as they go.
    const card = await tx.paymentMethod.findUniqueOrThrow({ where: { id } });
    await deleteCard(tx, card, provider, null);
  }
}
