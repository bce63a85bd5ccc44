import type { Context } from '@millrace/messaging/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { tellChange } from './tell-change.js';

/** Deletes a card's record; the newest of the others becomes the default in its place. The caller holds `lockCards`. */
export async function dropCard(tx: Transaction, card: PaymentMethod, context: Context | null): Promise<void> {
  await tx.paymentMethod.delete({ where: { id: card.id } });
  tellChange(tx, 'removed', card, context);
  if (!card.isDefault) return;
  await tx.$executeRaw`
    UPDATE billing.payment_method SET is_default = true
    WHERE id = (SELECT id FROM billing.payment_method WHERE vault_id = ${card.vaultId}::uuid
                ORDER BY created_at DESC, id DESC LIMIT 1)`;
}
