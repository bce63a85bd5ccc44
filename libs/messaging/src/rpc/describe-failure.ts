import type { Logger } from '@nestjs/common';
import { ApiError, UnavailableError } from '@millrace/contracts/kit/api-error';
import { TransactionTimeoutError } from '@millrace/persistence/transaction-timeout-error';
import { explainOutage } from './explain-outage.js';

/** Messages of pg and Prisma if no connection became free in time. */
const POOL_EXHAUSTED_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Unable to start a transaction in the given time',
];

/** Converts an error of a handler to the error of its response: an ApiError as it is, any other error without internals. */
export function describeFailure(
  error: unknown,
  requestId: string | undefined,
  logger: Pick<Logger, 'warn' | 'error'>,
): ReturnType<ApiError['toBody']> {
  if (error instanceof ApiError) return error.toBody();
  if (isPoolExhausted(error)) return createOverloadError().toBody();
  const outage = explainTimeout(error) ?? explainOutage(error);
  if (outage) {
    logger.warn({ message: 'Dependency unavailable', code: outage.code, requestId, error });
    return outage.toBody();
  }
  logger.error({ message: 'Operation handler failed', requestId, error });
  return new ApiError('internal_error', 'Internal error').toBody();
}

const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && POOL_EXHAUSTED_MESSAGES.some((text) => error.message.includes(text));

const explainTimeout = (error: unknown): ApiError | null =>
  error instanceof TransactionTimeoutError
    ? new UnavailableError('The request took too long. Try again shortly. A change may or may not have been made.')
    : null;

const createOverloadError = (): ApiError =>
  new ApiError('rate_limited', 'The service is overloaded. Try again in a few seconds.', { retry_after: 5 });
