/** Something outside could not be had. The message may be shown to users: it holds no credentials and no query. */
export class EgressError extends Error {
  override name = 'EgressError';
  /** Whether another try may do better: the connection broke, or the server was busy. */
  readonly isTransient: boolean;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(message: string, about: { isTransient?: boolean; retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: about.cause });
    this.isTransient = about.isTransient ?? false;
    this.retryAfterMs = about.retryAfterMs ?? null;
  }
}

/** A target that the platform must not reach. Trying again does not help. */
export class EgressRefusedError extends EgressError {
  override name = 'EgressRefusedError';
}
