import type { PaymentEnv } from '../provider/payment-env.js';
import type { StripeEvent } from './read-stripe-event.js';

/** Reads what came as an event of Stripe's; null is one that does not matter here. @throws ValidationError */
export type StripeEventReader = (payload: string, signature: string) => StripeEvent | null;

/** @returns null where no events are taken */
export async function openEventReader(env: PaymentEnv): Promise<StripeEventReader | null> {
  const { PAYMENT_PROVIDER: provider, STRIPE_WEBHOOK_SECRET: secret } = env;
  if (provider !== 'stripe' || secret === undefined) return null;
  const { readStripeEvent } = await import('./read-stripe-event.js');
  return (payload, signature) => readStripeEvent(payload, signature, secret);
}
