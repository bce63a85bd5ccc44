import { UnrecoverableError } from 'bullmq';

/** Thrown by a `@JobProcessor` method: the job fails without further attempts. */
export class PermanentFailureError extends UnrecoverableError {}

/**
 * Thrown by a `@JobProcessor` method: the job cannot run yet and returns after `delayMs`, without using up an attempt.
 */
export class RetryLaterError extends Error {
  constructor(readonly delayMs: number) {
    super(`Retry in ${delayMs} ms`);
  }
}
