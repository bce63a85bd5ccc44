import type { Letter } from './letter.js';

/** A mail as it leaves: `id` names it, however often it is tried. */
export interface OutgoingMail extends Letter {
  id: string;
  to: string;
}

/** Longer than a mail server that answers at all may take; then the mail counts as not sent, and is tried again. */
export const PATIENCE_MS = 120_000;

/**
 * Hands a mail over, or fails.
 * @throws PermanentFailure where another try cannot do better
 */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

export const DELIVER = Symbol('how mails are delivered');
