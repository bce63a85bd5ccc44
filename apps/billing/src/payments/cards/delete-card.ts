import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { publishCardChange } from './publish-card-change.js';

/**
 * Deletes a card's record. Where it was the default, the newest of the others becomes it, of the provider in use if there is
 * one. The caller holds `lockCards`.
 * @param context whose doing it is; null for the provider's
 */
export async function deleteCard(
  tx: Transaction,
  card: PaymentMethod,
  inUse: string,
  context: Context | null,
): Promise<void> {
  await tx.paymentMethod.delete({ where: { id: card.id } });
  publishCardChange(tx, 'removed', card, context);
  if (!card.isDefault) return;
  await tx.$executeRaw`
    UPDATE billing.payment_method SET is_default = true
    WHERE id = (SELECT id FROM billing.payment_method WHERE vault_id = ${card.vaultId}::uuid
                ORDER BY provider = ${inUse} DESC, created_at DESC, id DESC LIMIT 1)`;
}
