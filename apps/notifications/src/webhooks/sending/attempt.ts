/** The HTTP response of a receiver. */
export interface ReceiverResponse {
  status: number;
  headers: Record<string, string>;
  /** The beginning of the body, as text that Postgres can store. */
  body: string;
  truncated: boolean;
}

/** One attempt to deliver a message, and its outcome. */
export interface Attempt {
  at: Date;
  durationMs: number;
  headers: Record<string, string>;
  response: ReceiverResponse | null;
  /** Why the attempt failed; null if the message was delivered. */
  error: string | null;
  /** The delay that the receiver requests before the next attempt. */
  retryAfterMs: number | null;
}
