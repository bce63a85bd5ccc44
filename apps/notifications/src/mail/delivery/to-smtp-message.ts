import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './outgoing-mail.js';

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
