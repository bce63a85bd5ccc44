import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { lockCards } from './lock-cards.js';
import { publishCardChange } from './publish-card-change.js';

/**
 * Deletes a card's record. If it was the default, the newest other card becomes the default, preferably one of the active
 * provider. The caller has called `lockCards`.
 * @param activeProvider name of the configured provider
 * @param context of the request; null if the provider has deleted the card
 */
export async function deleteCard(
  tx: Transaction,
  card: PaymentMethod,
  activeProvider: string,
  context: Context | null,
): Promise<void> {
  await tx.paymentMethod.delete({ where: { id: card.id } });
  publishCardChange(tx, 'removed', card, context);
  if (!card.isDefault) return;
  await tx.$executeRaw`
    UPDATE billing.payment_method SET is_default = true
    WHERE id = (SELECT id FROM billing.payment_method WHERE vault_id = ${card.vaultId}::uuid
                ORDER BY provider = ${activeProvider} DESC, created_at DESC, id DESC LIMIT 1)`;
}

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
