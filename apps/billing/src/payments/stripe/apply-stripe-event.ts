import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { deleteCard } from '../cards/delete-card.js';
import { deletePaymentAccount } from '../cards/delete-payment-account.js';
import { lockCards } from '../cards/lock-cards.js';
import type { StripeEvent } from './read-stripe-event.js';

const provider = 'stripe';

/** Follows what was changed at Stripe. Events come in any order and more than once; each has its effect once. */
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
  const known = await holdCard(tx, reference);
  if (!known) return;
  const { object } = event.data;
  if ('card' in object) await update(tx, known, object, new Date(event.created * 1_000));
  else await deleteCard(tx, known, provider, null);
}

async function holdCard(tx: Transaction, reference: string): Promise<PaymentMethod | null> {
  const where = { provider_reference: { provider, reference } };
  const found = await tx.paymentMethod.findUnique({ where });
  if (!found) return null;
  await lockCards(tx, found.vaultId);
  return tx.paymentMethod.findUnique({ where });
}

type Updated = Extract<StripeEvent['data']['object'], { card: object }>;

/** What is older than what is known says nothing. */
async function update(
  tx: Transaction,
  known: PaymentMethod,
  { card, billing_details }: Updated,
  providerChangedAt: Date,
): Promise<void> {
  if (known.providerChangedAt && known.providerChangedAt > providerChangedAt) return;
  const cardholderName = billing_details?.name ?? known.cardholderName;
  await tx.paymentMethod.update({
    where: { id: known.id },
    data: { brand: card.brand, last4: card.last4, cardholderName, providerChangedAt },
  });
}
