import { z } from 'zod';
import { publicAccess, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { text, idOf } from '../kit/fields.js';
import { job } from '../kit/job.js';
import { operation } from '../kit/operation.js';

/** Maximum number of payment methods per vault. */
export const MAX_PAYMENT_METHODS = 20;

const owners = requires('vault.administer');

export const paymentMethod = z
  .object({
    id: z.string(),
    type: z.literal('card'),
    vault_info: z.string().describe('Id of the vault'),
    card_ending_in: z.string().describe('Same as `last4`'),
    last4: z.string(),
    brand: z.string().describe('Such as visa, mastercard, amex, diners, discover, jcb or unionpay'),
    cardholder_name: z.string(),
    subscription_amount: z.number().describe('Amount charged each month'),
    active: z.boolean().describe('Whether the payment provider that stores the card is the active one'),
    is_default: z.boolean(),
  })
  .meta({ id: 'PaymentMethod' });

/** Four digits may be a year or a house number. More may be the card number in the wrong field. */
const MAX_DIGITS_IN_NAME = 4;

/** Counts compatibility forms such as ⁴² and ⑳ as the digits that they show (NFKC, Unicode Standard Annex 15). */
const countDigits = (name: string): number => [...name.normalize('NFKC').matchAll(/\p{N}/gu)].length;

export const cardholderName = text(255)
  .trim()
  .min(1)
  .refine((name) => countDigits(name) <= MAX_DIGITS_IN_NAME, 'must be a name, not a number');

/** The service checks whether the card is valid. No message quotes a value, because the body is sealed. */
const MONTH = 'must be a whole number from 1 to 12';
const YEAR = 'must be a year with four digits';
const card = z.strictObject({
  card_number: z.string().max(64).describe('Digits; spaces and dashes between them are allowed'),
  exp_month: z.number().int(MONTH).min(1, MONTH).max(12, MONTH).describe('Month of expiry, 1 to 12'),
  exp_year: z.number().int(YEAR).min(1000, YEAR).max(9999, YEAR).describe('Year of expiry, four digits'),
  cvc: z.string().max(16).describe('Security code of the card, three or four digits; never stored'),
  cardholder_name: cardholderName.describe('Name on the card, 1 to 255 characters with at most four digits'),
});

export const addPaymentMethod = operation('billing.paymentMethods.add', {
  method: 'POST',
  path: '/billing/payment-methods',
  summary: 'Add a card to the vault',
  description:
    'The payment provider stores the card; Millrace stores neither its number nor its security code. An invalid or ' +
    'declined card is `validation_error` with the field in `details`. The first card of a vault becomes the ' +
    `default. A vault can have up to ${MAX_PAYMENT_METHODS} cards.`,
  access: owners,
  body: card,
  response: paymentMethod,
  errors: ['rate_limited'],
  sealed: true,
});

export const listPaymentMethods = operation('billing.paymentMethods.list', {
  method: 'GET',
  path: '/billing/payment-methods',
  summary: 'List cards of the vault, oldest first',
  description:
    'Shows brand, the last four digits and the name of each card. `active` is false for cards of a payment ' +
    'provider that the installation no longer uses.',
  access: owners,
  response: z.object({ results: z.array(paymentMethod) }),
});

export const setDefaultPaymentMethod = operation('billing.paymentMethods.setDefault', {
  method: 'PUT',
  path: '/billing/payment-methods/{id}/default',
  summary: 'Make a card the default of the vault',
  description: 'The former default stays as an ordinary card. If the card is the default already, nothing changes.',
  access: owners,
  params: idOf('payment method'),
  response: paymentMethod,
});

export const deletePaymentMethod = operation('billing.paymentMethods.delete', {
  method: 'DELETE',
  path: '/billing/payment-methods/{id}',
  summary: 'Remove a card from the vault and from the payment provider',
  description: 'If it was the default, the newest remaining card becomes the default.',
  access: owners,
  params: idOf('payment method'),
  response: z.null(),
  status: 204,
});

/** The body is forwarded byte by byte, because its signature covers its bytes. */
export const receiveStripeEvent = operation('billing.stripeEvents.take', {
  method: 'POST',
  path: '/billing/stripe/events',
  summary: 'Receive an event from Stripe',
  description:
    'Only for Stripe, which signs its requests (`Stripe-Signature`). Available if `PAYMENT_PROVIDER` is `stripe` ' +
    'and `STRIPE_WEBHOOK_SECRET` is set.',
  access: publicAccess,
  body: z.strictObject({ payload: z.string(), signature: z.string() }),
  response: z.object({ received: z.boolean() }),
  errors: ['not_found'],
  transfer: 'signed',
});

/**
 * A card was added, made the default, or removed; for the audit log. Without `user`, the payment provider made the
 * change.
 */
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
    agent: z.string().optional(),
  }),
});

/**
 * Removes a card from its payment provider. Postgres stores the pending removal, so the job may be enqueued repeatedly.
 */
export const removePaymentCard = job('billing.cards.remove', {
  queue: 'billing-cards',
  payload: z.object({ removal: z.uuid() }),
  attempts: 4,
  backoffMs: 2_000,
});
