import { newId } from '@millrace/persistence/ids';
import type { PaymentEnv } from './payment-env.js';
import type { PaymentProvider } from './payment-provider.js';

/**
 * Opens the configured provider. It imports Stripe's client only if it is needed, because loading that takes 33 MB and a
 * third of a second.
 */
export async function openProvider(env: PaymentEnv): Promise<PaymentProvider> {
  if (env.PAYMENT_PROVIDER === 'local') return localProvider;
  const { connectToStripe, StripeProvider } = await import('../stripe/stripe-provider.js');
  return new StripeProvider(connectToStripe({ secretKey: env.STRIPE_SECRET_KEY ?? '', apiBase: env.STRIPE_API_BASE }));
}

/** Stores nothing, so it has nothing to remove. Only the record of a card remains, and it cannot be charged. */
export const localProvider: PaymentProvider = {
  name: 'local',
  createCustomer: ({ id }) => Promise.resolve(`local_${id}`),
  addCard: ({ number, brand }) => Promise.resolve({ reference: `local_${newId()}`, brand, last4: number.slice(-4) }),
  removePaymentCard: () => Promise.resolve(),
  removeAttempt: () => Promise.resolve(),
};
