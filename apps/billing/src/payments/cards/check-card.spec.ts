import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addPaymentMethod } from '@millrace/contracts/billing/payment-methods';
import { toErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { cardOf, NUMBERS } from '../testing/cards.js';
import { checkCard } from './check-card.js';

/** The details of the error for a card; null if it is valid. */
function detailsOf(card: Record<string, unknown>): Record<string, unknown> | null {
  const parsed = addPaymentMethod.body.safeParse(card);
  if (!parsed.success) return toErrorDetails(parsed.error, 'body');
  try {
    checkCard(parsed.data);
    return null;
  } catch (error) {
    if (error instanceof ValidationError) return error.details ?? {};
    throw error;
  }
}

const year = new Date().getFullYear();
const month = new Date().getMonth() + 1;

describe('a new payment card', () => {
  it.each([
    ['visa', NUMBERS.visa, '123'],
    ['mastercard', NUMBERS.mastercard, '123'],
    ['amex', NUMBERS.amex, '1234'],
    ['unionpay', NUMBERS.unionpay, '123'],
    ['diners', '3056930009020004', '123'],
    ['discover', '6011111111111117', '123'],
    ['jcb', '3566002020360505', '123'],
  ])('of the brand %s is accepted, and its number determines the brand', (brand, card_number, cvc) => {
    expect(checkCard(cardOf({ card_number, cvc }))).toMatchObject({ brand, number: card_number, cvc });
  });

  it('can be written with spaces and dashes', () => {
    expect(checkCard(cardOf({ card_number: ' 4242 4242-4242 4242 ' }))).toMatchObject({ number: NUMBERS.visa });
  });

  it.each([
    ['a wrong digit', '4242424242424241'],
    ['a missing digit', '424242424242424'],
    ['an unknown brand', '9999999999999995'],
    ['letters', '4242abcd42424242'],
    ['no digits', ''],
    ['a Union Pay number that fails Luhn', '6200000000000004'],
    ['digits of another script', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
  ])('whose number has %s is rejected', (_, card_number) => {
    expect(detailsOf(cardOf({ card_number }))).toEqual({
      'body.card_number': 'must be a valid card number; check its digits',
    });
  });

  it.each([
    [NUMBERS.visa, '1234', 'must be 3 digits'],
    [NUMBERS.visa, '12', 'must be 3 digits'],
    [NUMBERS.visa, '', 'must be 3 digits'],
    [NUMBERS.visa, '12a', 'must be 3 digits'],
    [NUMBERS.amex, '123', 'must be 4 digits'],
  ])('with the number %s and the code %j is rejected', (card_number, cvc, problem) => {
    expect(detailsOf(cardOf({ card_number, cvc }))).toEqual({ 'body.cvc': problem });
  });

  it.each([
    [month, year, null],
    [12, year + 19, null],
    [12, year - 1, { 'body.exp_year': 'must not be in the past; the card has expired' }],
    [1, year + 20, { 'body.exp_year': 'is too far in the future; check the year' }],
    [0, year + 1, { 'body.exp_month': expect.any(String) }],
    [13, year + 1, { 'body.exp_month': expect.any(String) }],
    [1.5, year + 1, { 'body.exp_month': expect.any(String) }],
    [12, (year + 1) % 100, { 'body.exp_year': expect.any(String) }],
  ])('that expires in %d/%d has the problems %j', (exp_month, exp_year, expected) => {
    expect(detailsOf(cardOf({ exp_month, exp_year }))).toEqual(expected);
  });

  it.each([
    [''],
    ['  '],
    ['4242 4242 4242 4242'],
    ['Ada 4242424242424242'],
    ['⁴²⁴²⁴²⁴²'],
    ['①②③④⑤'],
    ['❶❷❸❹❺'],
    ['４２４２４'],
    ['㉑㉒㉓'],
    ['x'.repeat(256)],
    ['a\0b'],
    ['a\ud800'],
  ])('whose holder is %j is rejected', (cardholder_name) => {
    expect(detailsOf(cardOf({ cardholder_name }))).toEqual({ 'body.cardholder_name': expect.any(String) });
  });

  it('with several problems is rejected with all of them in one error', () => {
    const card = cardOf({ card_number: '1', cvc: '1', exp_year: year - 1 });
    expect(Object.keys(detailsOf(card) ?? {})).toEqual(['body.card_number', 'body.cvc', 'body.exp_year']);
  });
});

it('the error of a card never quotes its values', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 25 }).map((all) => all.join(''));
  const value = fc.oneof(
    digits,
    digits.map(Number),
    fc.array(digits),
    digits.map((text) => ({ [text]: text })),
  );
  const field = fc.constantFrom('card_number', 'exp_month', 'exp_year', 'cvc', 'cardholder_name');
  fc.assert(
    fc.property(field, value, (name, content) => {
      const details = JSON.stringify(detailsOf({ ...cardOf(), [name]: content }));
      for (const part of JSON.stringify(content).match(/\d{6,}/g) ?? []) expect(details).not.toContain(part);
    }),
  );
});
