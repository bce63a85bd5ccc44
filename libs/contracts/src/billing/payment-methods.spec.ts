import { expect, it } from '@jest/globals';
import { toErrorDetails } from '../kit/api-error.js';
import { addPaymentMethod } from './payment-methods.js';

it('a rejected card is described without quoting a value, because its body is sealed', () => {
  const number = 4_242_424_242_424_242;
  const text = String(number);
  const bodies = [
    { card_number: number, exp_month: number, exp_year: number, cvc: number, cardholder_name: text },
    { card_number: text.repeat(9), exp_month: text, exp_year: -number, cvc: text.repeat(9), cardholder_name: number },
    { exp_month: 4.242, exp_year: 4.242 },
  ];
  for (const body of bodies) {
    const { error } = addPaymentMethod.body.safeParse(body);
    const details = toErrorDetails(error ?? { issues: [] }, 'body');
    expect(Object.keys(details)).toHaveLength(5);
    expect(JSON.stringify(details)).not.toContain('42');
  }
});
