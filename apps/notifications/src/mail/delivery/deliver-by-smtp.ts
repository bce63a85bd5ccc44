import { PassThrough } from 'node:stream';
import { createTransport } from 'nodemailer';
import { judgeSmtpFailure } from './classify-smtp-failure.js';
import type { Deliver } from './outgoing-mail.js';
import { domainOf, toMessage } from './to-smtp-message.js';
import { UnknownFate } from './unknown-outcome-error.js';

/**
 * Who answers at all does so soon, but may take ten minutes to take a mail in (RFC 5321, 4.5.3.2.6). What is broken off
 * is cut at once: nothing that still waits to be written may reach the server later.
 */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 600_000,
  socketCloseTimeout: 0,
};

/** Hands mails to a mail server, one connection each; STARTTLS where the server offers it. */
export function deliverBySmtp(url: string, from: string): Deliver {
  const limits = limitsBeside(url);
  return async (mail, signal) => {
    const what = `Mail ${mail.id} to somebody at ${domainOf(mail.to)}`;
    const transport = createTransport({ url, ...limits });
    let isOut = false;
    transport.use('stream', ({ message }, done) => {
      message.transform(() => new PassThrough().once('end', () => (isOut = true)));
      done();
    });
    try {
      await transport.sendMail({ ...toMessage(from, mail), signal });
    } catch (error) {
      const isOver = signal.aborted || (error as { code?: string }).code === 'ETIMEDOUT';
      if (isOut && isOver) throw new UnknownFate(`${what} went out, and no answer came`);
      throw judgeSmtpFailure(error, what);
    }
  };
}

/** What the URL says of a limit counts; nodemailer itself would prefer these. */
function limitsBeside(url: string): Partial<typeof LIMITS> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(Object.entries(LIMITS).filter(([name]) => !searchParams.has(name)));
}
