import { describe, expect, it } from '@jest/globals';
import { Logger, type ArgumentsHost } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import { TransactionTimeoutError } from '@millrace/persistence/transaction-timeout-error';
import { OperationErrorFilter } from './operation-error.filter.js';

Logger.overrideLogger(false);

/** The body of the response to an operation whose handler throws this. */
async function responseTo(error: unknown): Promise<unknown> {
  const host = { switchToRpc: () => ({ getData: () => ({ requestId: 'r1' }) }) } as unknown as ArgumentsHost;
  return lastValueFrom(new OperationErrorFilter().catch(error, host)).catch((body: unknown) => body);
}

describe('the response to a failed operation', () => {
  it('is the ApiError that the handler throws', async () => {
    expect(await responseTo(new ForbiddenError())).toMatchObject({ code: 'forbidden' });
  });

  it('is unavailable if a transaction took too long', async () => {
    const error = new TransactionTimeoutError(15_000, new Error('Transaction already closed'));
    expect(await responseTo(error)).toMatchObject({ code: 'unavailable', details: { retry_after: 5 } });
  });

  it('is rate_limited if no database connection became free', async () => {
    const error = new Error('timeout exceeded when trying to connect');
    expect(await responseTo(error)).toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } });
  });

  it('has no internals of any other error', async () => {
    expect(await responseTo(new TypeError('x is not a function'))).toEqual({
      code: 'internal_error',
      message: 'Internal error',
    });
  });
});
