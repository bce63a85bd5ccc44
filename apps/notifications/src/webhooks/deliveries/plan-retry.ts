const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the second attempt, the third and so on: eleven attempts over 24 hours. */
export const RETRY_DELAYS_MS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
];
/** Maximum share by which a delay is extended, so that deliveries that failed together are not retried together. */
export const MAX_JITTER = 0.1;

export interface FailedAttempt {
  /** From 1, since the message was added or its redelivery requested. */
  number: number;
  /** The delay that the receiver requested. */
  retryAfterMs: number | null;
  /** Random number from 0 to 1. */
  chance: number;
}

/**
 * Returns the delay before the next attempt in milliseconds; null if there is none. The delay that the receiver requests is
 * bounded by this delay and the following one, so that it cannot postpone a message for ever.
 */
export function planRetry({ number, retryAfterMs, chance }: FailedAttempt): number | null {
  const delay = RETRY_DELAYS_MS[number - 1];
  if (delay === undefined) return null;
  const maxDelay = RETRY_DELAYS_MS[number] ?? delay;
  const requested = Math.min(Math.max(delay, retryAfterMs ?? 0), Math.max(delay, maxDelay));
  return Math.round(requested * (1 + MAX_JITTER * chance));
}
