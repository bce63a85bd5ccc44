import type { Letter } from '../content/letter.js';

/** A mail as it leaves: `id` names it, however often it is tried. */
export interface OutgoingMail extends Letter {
  id: string;
  to: string;
}

/**
 * Hands a mail over, or fails; where `signal` says so, at once.
 * @throws PermanentFailureError where another try cannot do better
 * @throws UnknownFate where the mail may have been handed over
 */
export type Deliver = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;

export const DELIVER = Symbol('how mails are delivered');
