import { z } from 'zod';
import { publicAccess, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, text } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { operation } from '../kit/operation.js';

/** Of one vault. */
export const MAX_PAYMENT_METHODS = 20;

const owners = requires('vault.administer');

export const paymentMethod = z
  .object({
    id: z.string(),
    type: z.literal('card'),
    vault_info: z.string().describe('Id of the vault'),
    card_ending_in: z.string().describe('As last4'),
    last4: z.string(),
    brand: z.string().describe('As visa, mastercard, amex, diners, discover, jcb, unionpay'),
    cardholder_name: z.string(),
    subscription_amount: z.number().describe('What it is charged each month'),
    active: z.boolean().describe('Whether the provider that keeps the card is the one in use'),
    is_default: z.boolean(),
  })
  .meta({ id: 'PaymentMethod' });

/** Four digits are a year or a house number; more of them may be the card's number in the wrong field. */
const MAX_DIGITS_IN_NAME = 4;

/** Compatibility forms (NFKC, Unicode Standard Annex 15) are counted as the digits that they show, as in ⁴² and ⑳. */
const countDigits = (name: string): number => [...name.normalize('NFKC').matchAll(/\p{N}/gu)].length;

export const cardholderName = text(255)
  .trim()
  .min(1)
  .refine((name) => countDigits(name) <= MAX_DIGITS_IN_NAME, 'must be a name, not a number');

/** What must be known of a card is checked by the service; what is wrong never quotes a value. */
const card = z.strictObject({
  card_number: z.string().max(64).describe('Digits; blanks and dashes between them are fine'),
  exp_month: z.number().int().min(1).max(12),
  exp_year: z.number().int().min(1000).max(9999).describe('Four digits'),
  cvc: z.string().max(16),
  cardholder_name: cardholderName,
});

export const addPaymentMethod = operation('billing.paymentMethods.add', {
  method: 'POST',
  path: '/billing/payment-methods',
  summary: 'Add a card to the vault',
  description:
    'The card is handed to the payment provider; number and code are kept nowhere here. A card that is not right, or that the ' +
    'provider declines, is `validation_error` with the field in `details`. The first card of a vault becomes its default. ' +
    `A vault has at most ${MAX_PAYMENT_METHODS}.`,
  access: owners,
  body: card,
  response: paymentMethod,
  errors: ['rate_limited'],
  sealed: true,
});

export const listPaymentMethods = operation('billing.paymentMethods.list', {
  method: 'GET',
  path: '/billing/payment-methods',
  summary: 'Cards of the vault, the oldest first',
  access: owners,
  response: z.object({ results: z.array(paymentMethod) }),
});

export const setDefaultPaymentMethod = operation('billing.paymentMethods.setDefault', {
  method: 'PUT',
  path: '/billing/payment-methods/{id}/default',
  summary: 'Make a card the default of the vault',
  access: owners,
  params: idParams,
  response: paymentMethod,
});

export const deletePaymentMethod = operation('billing.paymentMethods.delete', {
  method: 'DELETE',
  path: '/billing/payment-methods/{id}',
  summary: 'Remove a card from the vault and from the payment provider',
  description: 'Where it was the default, the newest of the others becomes it.',
  access: owners,
  params: idParams,
  response: z.null(),
  status: 204,
});

/** The body is passed on byte by byte, for its signature is over its bytes. */
export const receiveStripeEvent = operation('billing.stripeEvents.take', {
  method: 'POST',
  path: '/billing/stripe/events',
  summary: 'Take an event of Stripe',
  description:
    'For Stripe alone, which signs what it sends (`Stripe-Signature`). There only where `PAYMENT_PROVIDER` is `stripe` and ' +
    '`STRIPE_WEBHOOK_SECRET` is set.',
  access: publicAccess,
  body: z.strictObject({ payload: z.string(), signature: z.string() }),
  response: z.object({ received: z.boolean() }),
  errors: ['not_found'],
  transfer: 'signed',
});

/** A card was added, made the default, or removed; for the audit log. Without `user` it was the payment provider's doing. */
export const paymentMethodChanged = event('billing.paymentMethod.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    change: z.enum(['added', 'made_default', 'removed']),
    vault: z.uuid(),
    user: z.uuid().optional(),
    paymentMethod: z.uuid(),
    brand: z.string(),
    last4: z.string(),
    address: z.string().optional(),
  }),
});

/** Takes a card away from its provider. What is to be taken stands in Postgres, so that it may be ordered as often as needed. */
export const removePaymentCard = job('billing.cards.remove', {
  queue: 'billing-cards',
  payload: z.object({ removal: z.uuid() }),
  attempts: 4,
  backoffMs: 2_000,
});
