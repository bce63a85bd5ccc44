/** An external request failed. Users may see the message: it contains no credentials and no query. */
export class EgressError extends Error {
  override name = 'EgressError';
  /** True if a retry may succeed: the connection broke, or the server was busy. */
  readonly isTransient: boolean;
  /** How long the server asks clients to wait, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { isTransient?: boolean; retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A target that the platform must not reach. A retry does not help. */
export class EgressRefusedError extends EgressError {
  override name = 'EgressRefusedError';
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3), to milliseconds; null if it is neither. */
export function readRetryAfter(text: string, now = Date.now()): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
