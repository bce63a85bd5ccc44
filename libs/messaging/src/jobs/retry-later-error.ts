/** A job that may not be done now: it comes again after `waitMs`, and this was none of its tries. */
export class RetryLaterError extends Error {
  constructor(readonly delayMs: number) {
    super(`Not for ${delayMs} ms`);
  }
}
