const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before the second attempt, the third and so on: eleven in all, over 24 hours. */
export const PAUSES = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
];
/** Up to this much longer, so that what failed together does not come back together. */
export const SPREAD = 0.1;

export interface FailedAttempt {
  /** From 1, since the message was ordered last. */
  number: number;
  /** How long the receiver asked to be left alone. */
  retryAfterMs: number | null;
  /** From 0 to 1. */
  chance: number;
}

/**
 * How long to wait for the next attempt, in milliseconds; null where there is none. What a receiver asks for counts
 * between this pause and the one after it, so that nobody can put a message off for ever.
 */
export function planRetry({ number, retryAfterMs, chance }: FailedAttempt): number | null {
  const pause = PAUSES[number - 1];
  if (pause === undefined) return null;
  const longest = PAUSES[number] ?? pause;
  const wanted = Math.min(Math.max(pause, retryAfterMs ?? 0), Math.max(pause, longest));
  return Math.round(wanted * (1 + SPREAD * chance));
}
