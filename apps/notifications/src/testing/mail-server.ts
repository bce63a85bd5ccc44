import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What the server does with a mail when its text has come: takes it, answers with a code, or hangs up. */
export type Reaction = 'accept' | 'hang up' | { code: number; text: string };

export interface MailServer {
  url: string;
  /** What it took, in order. */
  accepted: { mail: Email; recipients: string[] }[];
  /** How many mails it was asked to take. */
  tries(): number;
  close(): Promise<void>;
}

/** A mail server on the loopback that reacts to one mail after the other as `reactions` say, in their time, then accepts. */
export async function startMailServer(
  reactions: (Reaction | Promise<Reaction>)[] = [],
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const accepted: MailServer['accepted'] = [];
  let tries = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    ...options,
    onData: (stream, session, done) => {
      const due = reactions[tries] ?? 'accept';
      tries += 1;
      const take = async (raw: Buffer) => {
        const reaction = await due;
        if (reaction === 'hang up') return server.connections.forEach((connection) => connection.close());
        if (reaction !== 'accept')
          return done(Object.assign(new Error(reaction.text), { responseCode: reaction.code }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        accepted.push({ mail: await PostalMime.parse(raw), recipients });
        return done();
      };
      // A sender that dies in the middle has sent no mail.
      void buffer(stream).then(take, () => undefined);
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    tries: () => tries,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
