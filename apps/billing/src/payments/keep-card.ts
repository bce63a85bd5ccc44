import type { ApiError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { lockCards } from './lock-cards.js';
import { hasMostCards, tooManyCards } from './most-cards.js';
import { orderRemoval } from './order-removal.js';
import type { ProviderName } from './payment-env.js';
import { ProviderUnavailable, type HeldCard } from './payment-provider.js';
import { tellChange } from './tell-change.js';

/** A card that a provider has taken, and the attempt by which it did. */
export interface TakenCard extends HeldCard {
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
export async function keepCard(tx: Transaction, card: TakenCard, context: Context): Promise<PaymentMethod | ApiError> {
  const { vault } = context.caller;
  const { provider, reference, brand, last4, name, attempt } = card;
  await lockCards(tx, vault);
  const former = await tx.paymentMethod.findFirst({ where: { provider, reference, vaultId: vault } });
  if (former) return former;
  const { count } = await tx.cardAttempt.deleteMany({ where: { id: attempt } });
  if (count === 0 || (await hasMostCards(tx, vault))) {
    await orderRemoval(tx, { provider, reference });
    return count === 0
      ? new ProviderUnavailable('The payment provider took too long; send the request again')
      : tooManyCards();
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
  tellChange(tx, 'added', made, context);
  return made;
}
