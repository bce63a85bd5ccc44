import { localProvider } from './local-provider.js';
import type { PaymentEnv } from './payment-env.js';
import type { PaymentProvider } from './payment-provider.js';

/**
 * The provider that the settings name. Stripe's client takes 33 MB and a third of a second to load, which an instance
 * without Stripe is spared.
 */
export async function openProvider(env: PaymentEnv): Promise<PaymentProvider> {
  if (env.PAYMENT_PROVIDER === 'local') return localProvider;
  const { connectToStripe } = await import('../stripe/connect-to-stripe.js');
  const { StripeProvider } = await import('../stripe/stripe-provider.js');
  return new StripeProvider(connectToStripe({ secretKey: env.STRIPE_SECRET_KEY ?? '', apiBase: env.STRIPE_API_BASE }));
}
