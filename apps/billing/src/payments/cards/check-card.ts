import valid from 'card-validator';
import type { addPaymentMethod } from '@millrace/contracts/billing/payment-methods';
import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Card } from '../provider/payment-provider.js';

/** Stripe's names of brands (API reference, `card.brand`) if they differ from the library's. The API uses Stripe's. */
const BRANDS: Record<string, string> = { 'american-express': 'amex', 'diners-club': 'diners' };

/** Code lengths if the brand is unknown. */
const ANY_CODE = [3, 4];

/**
 * Checks a card without contacting the provider: number (Luhn, length by brand), expiry, code (length by brand).
 * @throws ValidationError that names each invalid field and never quotes a value
 */
export function checkCard(body: Input<typeof addPaymentMethod>['body']): Card {
  const details: ErrorDetails = {};
  const number = valid.number(body.card_number, { luhnValidateUnionPay: true });
  if (!number.isValid) details['body.card_number'] = 'must be a valid card number; check its digits';
  const lengths = number.card ? [number.card.code.size] : ANY_CODE;
  if (!isCode(body.cvc, lengths)) details['body.cvc'] = `must be ${lengths.join(' or ')} digits`;
  Object.assign(details, checkExpiry(body.exp_month, body.exp_year));
  if (Object.keys(details).length > 0) throw new ValidationError(details, 'The card is not valid.');
  const type = number.card?.type ?? 'unknown';
  return {
    number: body.card_number.replaceAll(/\D/g, ''),
    expMonth: body.exp_month,
    expYear: body.exp_year,
    cvc: body.cvc,
    name: body.cardholder_name,
    brand: BRANDS[type] ?? type,
  };
}

const isCode = (code: string, lengths: number[]): boolean =>
  valid.cvv(code, lengths).isValid && lengths.includes(code.length);

/** A card is valid until the end of its month. */
function checkExpiry(month: number, year: number): ErrorDetails {
  if (valid.expirationDate({ month: String(month), year: String(year) }).isValid) return {};
  if (valid.expirationYear(String(year)).isValid)
    return { 'body.exp_month': 'must not be in the past; the card has expired' };
  const isPast = year < new Date().getFullYear();
  return {
    'body.exp_year': isPast
      ? 'must not be in the past; the card has expired'
      : 'is too far in the future; check the year',
  };
}
