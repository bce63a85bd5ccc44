/** What a receiver said. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The beginning of it, as text that Postgres can hold. */
  body: string;
  truncated: boolean;
}

/** One attempt to deliver a message, and what came of it. */
export interface Attempt {
  at: Date;
  durationMs: number;
  headers: Record<string, string>;
  answer: Answer | null;
  /** Why it does not count as delivered; null where it does. */
  error: string | null;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | null;
}
