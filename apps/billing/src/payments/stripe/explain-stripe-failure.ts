import { Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { CustomerMissingError, ProviderRefusedError, ProviderUnavailableError } from '../provider/payment-provider.js';

const { StripeCardError, StripeError, StripeInvalidRequestError } = Stripe.errors;

/** Fields and problems for Stripe's error codes (https://docs.stripe.com/error-codes). Other codes mean that the card was declined. */
const CARD_PROBLEMS: Record<string, [field: string, problem: string]> = {
  incorrect_number: ['card_number', 'must be a valid card number; check its digits'],
  invalid_number: ['card_number', 'must be a valid card number; check its digits'],
  invalid_expiry_month: ['exp_month', 'must be the month on the card'],
  invalid_expiry_year: ['exp_year', 'must be the year on the card'],
  expired_card: ['exp_year', 'must not be in the past; the card has expired'],
  incorrect_cvc: ['cvc', 'must be the security code of the card'],
  invalid_cvc: ['cvc', 'must be the security code of the card'],
};

const logger = new Logger('Stripe');

/**
 * Converts an error of Stripe's API. Only its codes are used and logged, because its messages quote parameters, so a log
 * would have the number of a card.
 */
export function explainStripeFailure(error: unknown): Error {
  if (error instanceof StripeCardError) return toCardError(error);
  if (!(error instanceof StripeError)) return new ProviderUnavailableError();
  if (isCustomerMissing(error)) return new CustomerMissingError();
  const { type, code, param, statusCode, requestId } = error;
  logger.warn({
    message: 'Stripe request failed',
    type,
    code: toCode(code),
    param: toCode(param),
    statusCode,
    stripeRequest: requestId,
  });
  return isTemporary(error) ? new ProviderUnavailableError() : new ProviderRefusedError();
}

function toCardError({ code = '', decline_code }: InstanceType<typeof StripeCardError>): ValidationError {
  const [field, problem] = CARD_PROBLEMS[code] ?? ['card_number', 'was declined by the bank; use another card'];
  logger.log({ message: 'Stripe declined a card', code: toCode(code), decline: toCode(decline_code) });
  return new ValidationError({ [`body.${field}`]: problem }, 'The card was declined.');
}

/** Returns a code, or the name of a parameter such as `card[exp_month]`, and undefined for any other value. */
const toCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[a-z_]{1,64}(?:\[[a-z_]{1,64}\]){0,4}$/.test(value) ? value : undefined;

/** Stripe is unreachable or overloaded, is still processing the same request, or has failed itself. */
const isTemporary = ({ statusCode = 500 }: InstanceType<typeof StripeError>): boolean =>
  statusCode === 409 || statusCode === 429 || statusCode >= 500;

/** Whether the requested object does not exist at Stripe. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing';

const isCustomerMissing = (error: InstanceType<typeof StripeError>): boolean =>
  isMissing(error) && error.param === 'customer';
