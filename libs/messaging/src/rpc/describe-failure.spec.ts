import { describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import { TransactionTimeoutError } from '@millrace/persistence/transaction-timeout-error';
import { describeFailure } from './describe-failure.js';

const SILENT = { warn: () => undefined, error: () => undefined };

/** The error of the response to an operation whose handler throws this. */
const responseTo = (error: unknown) => describeFailure(error, 'r1', SILENT);

describe('the response to a failed operation', () => {
  it('is the ApiError that the handler throws', () => {
    expect(responseTo(new ForbiddenError())).toMatchObject({ code: 'forbidden' });
  });

  it('is unavailable if a transaction took too long', () => {
    const error = new TransactionTimeoutError(15_000, new Error('Transaction already closed'));
    expect(responseTo(error)).toMatchObject({ code: 'unavailable', details: { retry_after: 5 } });
  });

  it('is rate_limited if no database connection became free', () => {
    const error = new Error('timeout exceeded when trying to connect');
    expect(responseTo(error)).toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } });
  });

  it('has no internals of any other error', () => {
    expect(responseTo(new TypeError('x is not a function'))).toEqual({
      code: 'internal_error',
      message: 'Internal error',
    });
  });
});
