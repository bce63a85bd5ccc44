import { PassThrough } from 'node:stream';
import { createTransport } from 'nodemailer';
import { classifySmtpFailure } from './classify-smtp-failure.js';
import { type Deliver, UnknownOutcomeError, domainOf, toSmtpMessage } from './outgoing-mail.js';

/**
 * A server responds soon, but may take ten minutes to accept a mail (RFC 5321, 4.5.3.2.6). An aborted connection is cut at
 * once, so that no buffered data reaches the server later.
 */
const SMTP_TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 600_000,
  socketCloseTimeout: 0,
};

/** Delivers mails to a mail server, with one connection per mail and STARTTLS if the server offers it. */
export function deliverBySmtp(url: string, from: string): Deliver {
  const timeouts = timeoutsUnlessInUrl(url);
  return async (mail, signal) => {
    const description = `Mail ${mail.id} to an address at ${domainOf(mail.to)}`;
    const transport = createTransport({ url, ...timeouts });
    let isFullySent = false;
    transport.use('stream', ({ message }, done) => {
      message.transform(() => new PassThrough().once('end', () => (isFullySent = true)));
      done();
    });
    try {
      await transport.sendMail({ ...toSmtpMessage(from, mail), signal });
    } catch (error) {
      const isTimedOut = signal.aborted || (error as { code?: string }).code === 'ETIMEDOUT';
      if (isFullySent && isTimedOut)
        throw new UnknownOutcomeError(`${description} was sent, but the server did not confirm it`);
      throw classifySmtpFailure(error, description);
    }
  };
}

/** Leaves out the timeouts that the URL sets, because nodemailer would prefer these. */
function timeoutsUnlessInUrl(url: string): Partial<typeof SMTP_TIMEOUTS> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(Object.entries(SMTP_TIMEOUTS).filter(([name]) => !searchParams.has(name)));
}
