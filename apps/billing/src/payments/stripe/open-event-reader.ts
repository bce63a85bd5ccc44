import type { PaymentEnv } from '../provider/payment-env.js';
import type { StripeEvent } from './read-stripe-event.js';

/** Verifies and reads an event of Stripe. Returns null for an event that billing does not use. @throws ValidationError */
export type StripeEventReader = (payload: string, signature: string) => StripeEvent | null;

/** @returns null if billing is not configured to receive events */
export async function openEventReader(env: PaymentEnv): Promise<StripeEventReader | null> {
  const { PAYMENT_PROVIDER: provider, STRIPE_WEBHOOK_SECRET: secret } = env;
  if (provider !== 'stripe' || secret === undefined) return null;
  const { readStripeEvent } = await import('./read-stripe-event.js');
  return (payload, signature) => readStripeEvent(payload, signature, secret);
}
