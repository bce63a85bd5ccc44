import { localProvider } from './local-provider.js';
import type { PaymentEnv } from './payment-env.js';
import type { PaymentProvider } from './payment-provider.js';

/**
 * Opens the configured provider. It imports Stripe's client only if it is needed, because loading that takes 33 MB and a
 * third of a second.
 */
export async function openProvider(env: PaymentEnv): Promise<PaymentProvider> {
  if (env.PAYMENT_PROVIDER === 'local') return localProvider;
  const { connectToStripe } = await import('../stripe/connect-to-stripe.js');
  const { StripeProvider } = await import('../stripe/stripe-provider.js');
  return new StripeProvider(connectToStripe({ secretKey: env.STRIPE_SECRET_KEY ?? '', apiBase: env.STRIPE_API_BASE }));
}
