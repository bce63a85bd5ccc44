/**
 * Thrown by a `@JobProcessor` method: the job cannot run yet and returns after `delayMs`, without using up an attempt.
 */
export class RetryLaterError extends Error {
  constructor(readonly delayMs: number) {
    super(`Retry in ${delayMs} ms`);
  }
}
