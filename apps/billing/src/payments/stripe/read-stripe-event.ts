import Stripe from 'stripe';
import { z } from 'zod';
import { cardholderName } from '@millrace/contracts/billing/payment-methods';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { text } from '@millrace/contracts/kit/fields';

/** Stripe's default (https://docs.stripe.com/webhooks, "Preventing replay attacks"). Replays within it are recognized by their id. */
const TOLERANCE_SECONDS = 300;

const card = z.object({
  id: z.string(),
  card: z.object({ brand: text(64), last4: z.string().regex(/^\d{4}$/) }),
  billing_details: z.object({ name: cardholderName.nullish().catch(null) }).optional(),
});

const stripeEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(['payment_method.updated', 'payment_method.automatically_updated']),
    ...{ id: text(255, 1), created: z.int(), data: z.object({ object: card }) },
  }),
  z.object({
    type: z.literal(['payment_method.detached', 'customer.deleted']),
    ...{ id: text(255, 1), created: z.int(), data: z.object({ object: z.object({ id: z.string() }) }) },
  }),
]);
export type StripeEvent = z.output<typeof stripeEvent>;

/**
 * Verifies the signature and age of an event, and reads it.
 * @returns null for a type of event that billing does not use
 * @throws ValidationError
 */
export function readStripeEvent(payload: string, signature: string, secret: string): StripeEvent | null {
  const event = stripeEvent.safeParse(verify(payload, signature, secret));
  return event.success ? event.data : null;
}

function verify(payload: string, signature: string, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(payload, signature, secret, TOLERANCE_SECONDS);
  } catch {
    throw new ValidationError({
      'header.Stripe-Signature': 'must be a signature of this payload that is at most 5 minutes old',
    });
  }
}
