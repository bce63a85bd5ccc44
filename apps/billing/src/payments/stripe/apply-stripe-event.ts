import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { deleteCard, deletePaymentAccount } from '../cards/delete-card.js';
import { lockCards } from '../cards/lock-cards.js';
import type { StripeEvent } from './read-stripe-event.js';

const provider = 'stripe';

/** Applies a change that was made at Stripe. Events arrive in any order and may be repeated; each has its effect once. */
export async function applyStripeEvent(tx: Transaction, event: StripeEvent): Promise<void> {
  const isNew = await tx.$executeRaw`
    INSERT INTO billing.provider_event (provider, id) VALUES (${provider}, ${event.id}) ON CONFLICT DO NOTHING`;
  if (isNew === 0) return;
  const { id: reference } = event.data.object;
  if (event.type === 'customer.deleted') {
    const account = await tx.paymentAccount.findUnique({
      where: { provider_customer: { provider, customer: reference } },
    });
    if (account) await deletePaymentAccount(tx, account.id);
    return;
  }
  const paymentMethod = await findLockedCard(tx, reference);
  if (!paymentMethod) return;
  const { object } = event.data;
  if ('card' in object) await updateCard(tx, paymentMethod, object, new Date(event.created * 1_000));
  else await deleteCard(tx, paymentMethod, provider, null);
}

async function findLockedCard(tx: Transaction, reference: string): Promise<PaymentMethod | null> {
  const where = { provider_reference: { provider, reference } };
  const paymentMethod = await tx.paymentMethod.findUnique({ where });
  if (!paymentMethod) return null;
  await lockCards(tx, paymentMethod.vaultId);
  return tx.paymentMethod.findUnique({ where });
}

type StripeCard = Extract<StripeEvent['data']['object'], { card: object }>;

/** Ignores events that are older than the last applied one. */
async function updateCard(
  tx: Transaction,
  paymentMethod: PaymentMethod,
  { card, billing_details }: StripeCard,
  providerChangedAt: Date,
): Promise<void> {
  if (paymentMethod.providerChangedAt && paymentMethod.providerChangedAt > providerChangedAt) return;
  const cardholderName = billing_details?.name ?? paymentMethod.cardholderName;
  await tx.paymentMethod.update({
    where: { id: paymentMethod.id },
    data: { brand: card.brand, last4: card.last4, cardholderName, providerChangedAt },
  });
}
