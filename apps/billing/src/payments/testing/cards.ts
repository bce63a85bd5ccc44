/** Numbers that Stripe has set aside for tests (https://docs.stripe.com/testing), and one that has the form of a card alone. */
export const NUMBERS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  unionpay: '6200000000000005',
  declined: '4000000000000002',
  wrongCode: '4000000000000127',
} as const;

/** A card as a client sends it, good until the end of the next year. */
export const cardOf = (given: Partial<ReturnType<typeof defaults>> = {}) => ({ ...defaults(), ...given });

const defaults = () => ({
  card_number: NUMBERS.visa as string,
  exp_month: 12,
  exp_year: new Date().getFullYear() + 1,
  cvc: '737',
  cardholder_name: 'Ada Lovelace',
});
