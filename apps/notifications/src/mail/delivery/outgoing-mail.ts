import type { SendMailOptions } from 'nodemailer';
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

/** All of a mail was sent, but the server did not confirm it: it may have accepted the mail, or still accept it. */
export class UnknownOutcomeError extends Error {}

/**
 * Converts a mail for nodemailer. The Message-ID derives from the mail's id, so that receivers recognize a second copy of a
 * mail with an unknown outcome (RFC 5322, 3.6.4). `Auto-Submitted` prevents automatic replies (RFC 3834). The address is
 * passed as an object, so that it is not parsed as a list.
 */
export function toSmtpMessage(from: string, { id, to, subject, text, html }: OutgoingMail): SendMailOptions {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The domain of an address or of `Name <address>`, which is all that logs may contain of it. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).replace(/>$/, '');
