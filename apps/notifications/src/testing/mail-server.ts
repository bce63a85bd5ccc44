import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** How the server reacts to the text of a mail: accepts it, responds with a code, or disconnects. */
export type Reaction = 'accept' | 'hang up' | { code: number; text: string };

export interface MailServer {
  url: string;
  /** Accepted mails, in order. */
  accepted: { mail: Email; recipients: string[] }[];
  /** Number of mails that clients tried to send. */
  tries(): number;
  close(): Promise<void>;
}

/** A mail server on loopback that applies one of `reactions` to each mail in order, and accepts all further mails. */
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
      const nextReaction = reactions[tries] ?? 'accept';
      tries += 1;
      const react = async (raw: Buffer) => {
        const reaction = await nextReaction;
        if (reaction === 'hang up') return server.connections.forEach((connection) => connection.close());
        if (reaction !== 'accept')
          return done(Object.assign(new Error(reaction.text), { responseCode: reaction.code }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        accepted.push({ mail: await PostalMime.parse(raw), recipients });
        return done();
      };
      // A client that disconnects in the middle has sent no mail.
      void buffer(stream).then(react, () => undefined);
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
