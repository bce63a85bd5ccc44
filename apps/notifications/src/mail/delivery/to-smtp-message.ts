import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './outgoing-mail.js';

/**
 * A mail as nodemailer takes it. The Message-ID follows from the mail's id, so that a copy of one whose fate was unknown
 * can be told for a copy (RFC 5322, 3.6.4); RFC 3834 keeps automatic replies away. The address is not parsed as a list.
 */
export function toMessage(from: string, { id, to, subject, text, html }: OutgoingMail): SendMailOptions {
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

/** Of an address, also within `Name <address>`: all that a log may know of it. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).replace(/>$/, '');
