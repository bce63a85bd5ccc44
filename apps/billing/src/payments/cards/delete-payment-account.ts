import type { Transaction } from '@millrace/persistence/database';
import { deleteCard } from './delete-card.js';
import { lockCards } from './lock-cards.js';

/** Deletes the records of a customer that the provider has deleted, with its cards. The next card creates another customer. */
export async function deletePaymentAccount(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx.paymentAccount.findUnique({ where: { id: accountId } });
  if (!account) return;
  const { vaultId, provider } = account;
  await lockCards(tx, vaultId);
  const { count } = await tx.paymentAccount.deleteMany({ where: { id: accountId } });
  if (count === 0) return;
  const cards = await tx.paymentMethod.findMany({ where: { vaultId, provider }, orderBy: { id: 'asc' } });
  for (const { id } of cards) {
    // Read again, because each deletion may make the next card the default.
    const card = await tx.paymentMethod.findUniqueOrThrow({ where: { id } });
    await deleteCard(tx, card, provider, null);
  }
}
