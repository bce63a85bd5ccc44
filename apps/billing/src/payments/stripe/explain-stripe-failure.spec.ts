import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { CustomerMissingError, ProviderRefusedError, ProviderUnavailableError } from '../provider/payment-provider.js';
import { explainStripeFailure } from './explain-stripe-failure.js';

Logger.overrideLogger(false);

/** Collects log lines, so that the tests print nothing. */
function recordLogs(): unknown[] {
  const logged: unknown[] = [];
  const record = (message: unknown) => void logged.push(message);
  Logger.overrideLogger({ log: record, warn: record, error: record });
  return logged;
}
afterEach(() => {
  Logger.overrideLogger(false);
});

const NUMBER = '4242424242424242';
const { errors } = Stripe;

const declined = (code: string) =>
  new errors.StripeCardError({ type: 'card_error', code, message: `Not ${NUMBER}`, statusCode: 402 });
const invalid = (fields: object) =>
  new errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: `Not ${NUMBER}`, ...fields });

describe('a failure of Stripe', () => {
  it.each([
    ['incorrect_number', 'body.card_number'],
    ['invalid_expiry_month', 'body.exp_month'],
    ['expired_card', 'body.exp_year'],
    ['incorrect_cvc', 'body.cvc'],
    ['card_declined', 'body.card_number'],
    ['processing_error', 'body.card_number'],
    ['a_code_of_tomorrow', 'body.card_number'],
  ])('with the code %s names the field %s', (code, field) => {
    const failure = explainStripeFailure(declined(code));
    expect(failure).toBeInstanceOf(ValidationError);
    expect(Object.keys((failure as ValidationError).details ?? {})).toEqual([field]);
  });

  it('distinguishes a missing customer from other missing objects', () => {
    expect(explainStripeFailure(invalid({ code: 'resource_missing', param: 'customer' }))).toBeInstanceOf(
      CustomerMissingError,
    );
    const other = explainStripeFailure(invalid({ code: 'resource_missing', param: 'payment_method' }));
    expect(other).toBeInstanceOf(ProviderUnavailableError);
  });

  it.each([
    ['a lost connection', new errors.StripeConnectionError({ message: NUMBER })],
    ['an overload', new errors.StripeRateLimitError({ message: NUMBER, statusCode: 429 })],
    ['a server error', new errors.StripeAPIError({ message: NUMBER, statusCode: 500 })],
    ['an unknown failure', new TypeError(NUMBER)],
  ])('such as %s means that the provider is unavailable', (_, error) => {
    const failure = explainStripeFailure(error);
    expect(failure).toBeInstanceOf(ProviderUnavailableError);
    expect(failure.message).toMatch(/again/);
  });

  it.each([
    ['a wrong key', new errors.StripeAuthenticationError({ message: NUMBER, statusCode: 401 })],
    ['cards that may not be sent raw', invalid({ statusCode: 400 })],
  ])('such as %s means that the provider refuses the request, and the log contains the reason', (_, error) => {
    const failure = explainStripeFailure(error);
    expect(failure).toBeInstanceOf(ProviderRefusedError);
    expect(failure.message).toMatch(/log/);
  });

  it('is logged with its codes and without any other text', () => {
    const logged = recordLogs();
    const param = 'card[number]';
    explainStripeFailure(invalid({ statusCode: 400, code: 'parameter_unknown', param }));
    expect(logged.pop()).toMatchObject({ code: 'parameter_unknown', param });
    for (const code of [NUMBER, `card[${NUMBER}]`, `x\n${NUMBER}`, `x[${NUMBER}`, 4242424242424242, { code: NUMBER }]) {
      explainStripeFailure(invalid({ statusCode: 400, code, param: code }));
      explainStripeFailure(
        new errors.StripeCardError({ type: 'card_error', code, decline_code: code, statusCode: 402 } as never),
      );
    }
    expect(logged).toHaveLength(12);
    expect(JSON.stringify(logged)).not.toMatch(/[0-9]{5}/);
  });

  it('does not pass on Stripe messages, which may quote the card', () => {
    for (const error of [declined('card_declined'), invalid({}), new TypeError(NUMBER)]) {
      const failure = explainStripeFailure(error);
      expect(JSON.stringify([failure, failure.message, failure.cause, failure.stack])).not.toContain(NUMBER);
    }
  });
});
