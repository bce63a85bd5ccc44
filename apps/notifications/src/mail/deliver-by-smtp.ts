import { createTransport } from 'nodemailer';
import { judgeSmtpFailure } from './judge-smtp-failure.js';
import type { Deliver } from './outgoing-mail.js';
import { domainOf, toMessage } from './to-message.js';

/** nodemailer's own limits are minutes, which is longer than a service has to end. */
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 30_000 };

/** Hands mails to a mail server, one connection each; STARTTLS where the server offers it. */
export function deliverBySmtp(url: string, from: string): Deliver {
  const transport = createTransport({ url, ...LIMITS });
  return async (mail) => {
    try {
      await transport.sendMail(toMessage(from, mail));
    } catch (error) {
      throw judgeSmtpFailure(error, `Mail ${mail.id} to somebody at ${domainOf(mail.to)}`);
    }
  };
}
