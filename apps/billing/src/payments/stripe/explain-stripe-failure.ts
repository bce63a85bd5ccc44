import { Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { CustomerMissingError, ProviderRefusedError, ProviderUnavailableError } from '../provider/payment-provider.js';

const { StripeCardError, StripeError, StripeInvalidRequestError } = Stripe.errors;

/** What Stripe's error codes say of which field (https://docs.stripe.com/error-codes); anything else is a plain refusal. */
const OF_CARD: Record<string, [field: string, problem: string]> = {
  incorrect_number: ['card_number', 'is not the number of a card'],
  invalid_number: ['card_number', 'is not the number of a card'],
  invalid_expiry_month: ['exp_month', 'is not right'],
  invalid_expiry_year: ['exp_year', 'is not right'],
  expired_card: ['exp_year', 'is over: the card has expired'],
  incorrect_cvc: ['cvc', 'is not right'],
  invalid_cvc: ['cvc', 'is not right'],
};

const logger = new Logger('Stripe');

/**
 * What a failed call of Stripe's API means here. Of what Stripe says only its codes are kept: its messages quote
 * parameters, and a log would keep the number of a card with them.
 */
export function explainStripeFailure(error: unknown): Error {
  if (error instanceof StripeCardError) return refuseCard(error);
  if (!(error instanceof StripeError)) return new ProviderUnavailableError();
  if (isCustomerGone(error)) return new CustomerMissingError();
  const { type, code, param, statusCode, requestId } = error;
  logger.warn({
    message: 'Stripe did not do what it was asked',
    type,
    code: wordOf(code),
    param: wordOf(param),
    statusCode,
    stripeRequest: requestId,
  });
  return isPassing(error) ? new ProviderUnavailableError() : new ProviderRefusedError();
}

function refuseCard({ code = '', decline_code }: InstanceType<typeof StripeCardError>): ValidationError {
  const [field, problem] = OF_CARD[code] ?? ['card_number', 'was declined'];
  logger.log({ message: 'Stripe refused a card', code: wordOf(code), decline: wordOf(decline_code) });
  return new ValidationError({ [`body.${field}`]: problem }, 'The card was declined');
}

/** A code, or the name of a parameter as in `card[exp_month]`; not anything else that comes in its place. */
const wordOf = (said: unknown): string | undefined =>
  typeof said === 'string' && /^[a-z_]{1,64}(?:\[[a-z_]{1,64}\]){0,4}$/.test(said) ? said : undefined;

/** Nobody there, too much to do, the same request still under way, or a failure of Stripe's own. */
const isPassing = ({ statusCode = 500 }: InstanceType<typeof StripeError>): boolean =>
  statusCode === 409 || statusCode === 429 || statusCode >= 500;

/** @returns whether what was asked for is not there */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing';

const isCustomerGone = (error: InstanceType<typeof StripeError>): boolean =>
  isMissing(error) && error.param === 'customer';
