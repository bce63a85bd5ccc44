import { MAX_PAYMENT_METHODS } from '@millrace/contracts/billing/payment-methods';
import { type ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import type { ProviderName } from '../provider/payment-env.js';
import { ProviderUnavailableError, type StoredCard } from '../provider/payment-provider.js';
import { enqueueCardRemoval } from '../removals/enqueue-card-removal.js';
import { lockCards } from './lock-cards.js';
import { publishCardChange } from './publish-card-change.js';

/** A card that a provider has stored, and the attempt that stored it. */
export interface CardToSave extends StoredCard {
  name: string;
  attempt: string;
  provider: ProviderName;
}

/**
 * Replaces an attempt with the record of its card. If a repeated request has already saved the card, it returns that
 * record.
 * @returns an error if the attempt was abandoned or the vault has reached its card limit; a job then removes the card from
 *   the provider
 */
export async function saveCard(tx: Transaction, card: CardToSave, context: Context): Promise<PaymentMethod | ApiError> {
  const { vault } = context.caller;
  const { provider, reference, brand, last4, name, attempt } = card;
  await lockCards(tx, vault);
  const existing = await tx.paymentMethod.findFirst({ where: { provider, reference, vaultId: vault } });
  if (existing) return existing;
  const { count } = await tx.cardAttempt.deleteMany({ where: { id: attempt } });
  if (count === 0 || (await isCardLimitReached(tx, vault))) {
    await enqueueCardRemoval(tx, { provider, reference });
    return count === 0
      ? new ProviderUnavailableError(
          'The payment provider took too long, so the card was not added. Send the request again.',
        )
      : cardLimitError();
  }
  // A default card of another provider does not count, because it cannot be charged.
  const hasDefault = await tx.paymentMethod.count({ where: { vaultId: vault, provider, isDefault: true } });
  if (hasDefault === 0) await tx.paymentMethod.updateMany({ where: { vaultId: vault }, data: { isDefault: false } });
  const created = await tx.paymentMethod.create({
    data: {
      ...{ id: newId(), vaultId: vault, provider, reference, brand, last4 },
      ...{ cardholderName: name, isDefault: hasDefault === 0 },
    },
  });
  publishCardChange(tx, 'added', created, context);
  return created;
}

/** Whether a vault has the maximum number of cards. The caller has called `lockCards`. */
export const isCardLimitReached = async (tx: Transaction, vaultId: string): Promise<boolean> =>
  (await tx.paymentMethod.count({ where: { vaultId } })) >= MAX_PAYMENT_METHODS;

export const cardLimitError = (): ValidationError =>
  new ValidationError({ body: `must not exceed ${MAX_PAYMENT_METHODS} payment methods per vault; remove one first` });
