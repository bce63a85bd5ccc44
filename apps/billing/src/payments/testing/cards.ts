/** Stripe's test numbers (https://docs.stripe.com/testing), and a UnionPay number that is only well-formed. */
export const NUMBERS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  unionpay: '6200000000000005',
  declined: '4000000000000002',
  wrongCode: '4000000000000127',
} as const;

/** A card as a client sends it, valid until the end of next year. */
export const cardOf = (fields: Partial<ReturnType<typeof defaults>> = {}) => ({ ...defaults(), ...fields });

const defaults = () => ({
  card_number: NUMBERS.visa as string,
  exp_month: 12,
  exp_year: new Date().getFullYear() + 1,
  cvc: '737',
  cardholder_name: 'Ada Lovelace',
});
