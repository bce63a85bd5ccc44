import { localProvider } from './local-provider.js';
import type { PaymentEnv } from './payment-env.js';
import type { PaymentProvider } from './payment-provider.js';
import { connectToStripe } from './stripe/connect-to-stripe.js';
import { StripeProvider } from './stripe/stripe-provider.js';

/** The provider that the settings name. */
export function openProvider(env: PaymentEnv): PaymentProvider {
  if (env.PAYMENT_PROVIDER === 'local') return localProvider;
  return new StripeProvider(connectToStripe({ secretKey: env.STRIPE_SECRET_KEY ?? '', apiBase: env.STRIPE_API_BASE }));
}
