import type { ApiError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import type { ProviderName } from '../provider/payment-env.js';
import { ProviderUnavailableError, type StoredCard } from '../provider/payment-provider.js';
import { enqueueCardRemoval } from '../removals/enqueue-card-removal.js';
import { isCardLimitReached, cardLimitError } from './card-limit.js';
import { lockCards } from './lock-cards.js';
import { publishCardChange } from './publish-card-change.js';

/** A card that a provider has taken, and the attempt by which it did. */
export interface CardToSave extends StoredCard {
  name: string;
  attempt: string;
  provider: ProviderName;
}

/**
 * Writes the record of a card in place of its attempt. The same card a second time, from a request that came twice, is the
 * record that is there.
 * @returns why it is not kept, where the attempt was given up meanwhile, or others have made the cards as many as they may
 *   be: then the provider is told to take it away
 */
export async function saveCard(tx: Transaction, card: CardToSave, context: Context): Promise<PaymentMethod | ApiError> {
  const { vault } = context.caller;
  const { provider, reference, brand, last4, name, attempt } = card;
  await lockCards(tx, vault);
  const former = await tx.paymentMethod.findFirst({ where: { provider, reference, vaultId: vault } });
  if (former) return former;
  const { count } = await tx.cardAttempt.deleteMany({ where: { id: attempt } });
  if (count === 0 || (await isCardLimitReached(tx, vault))) {
    await enqueueCardRemoval(tx, { provider, reference });
    return count === 0
      ? new ProviderUnavailableError('The payment provider took too long; send the request again')
      : cardLimitError();
  }
  // One of a provider that is not in use any more is none that could be charged.
  const hasDefault = await tx.paymentMethod.count({ where: { vaultId: vault, provider, isDefault: true } });
  if (hasDefault === 0) await tx.paymentMethod.updateMany({ where: { vaultId: vault }, data: { isDefault: false } });
  const made = await tx.paymentMethod.create({
    data: {
      ...{ id: newId(), vaultId: vault, provider, reference, brand, last4 },
      ...{ cardholderName: name, isDefault: hasDefault === 0 },
    },
  });
  publishCardChange(tx, 'added', made, context);
  return made;
}
