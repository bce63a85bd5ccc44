import type { Letter } from '../content/letter.js';

/** A mail to send; `id` is the same in every attempt. */
export interface OutgoingMail extends Letter {
  id: string;
  to: string;
}

/**
 * Delivers a mail, or fails; fails at once if `signal` aborts.
 * @throws PermanentFailureError if a retry cannot succeed
 * @throws UnknownOutcomeError if the mail may have been delivered
 */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;

export const DELIVER = Symbol('mail delivery');
