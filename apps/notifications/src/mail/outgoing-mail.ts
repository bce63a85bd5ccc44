import type { Letter } from './letter.js';

/** A mail as it leaves: `id` names it, however often it is tried. */
export interface OutgoingMail extends Letter {
  id: string;
  to: string;
}

/**
 * Hands a mail over, or fails.
 * @throws PermanentFailure where another try cannot do better
 */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

export const DELIVER = Symbol('how mails are delivered');
