import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveHttp } from '@millrace/testkit/serve-http';

/** A received message. */
export interface Received {
  path: string;
  id: string;
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
}

/** How a receiver reacts to a message: it responds with a status, runs a function, or never responds. */
export type Reaction = number | 'never' | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  /** Messages in the order of arrival. */
  received: Received[];
  /** The reaction to the following messages. */
  react: (message: Received) => Reaction;
  close(): Promise<void>;
}

/** A server on loopback that receives messages of webhooks. */
export async function startReceiver(react: Receiver['react'] = () => 200): Promise<Receiver> {
  const receiver: Omit<Receiver, 'url' | 'close'> = { received: [], react };
  const server = await serveHttp((request, response) => {
    void buffer(request).then((body) => {
      const headers = request.headers as Received['headers'];
      const message = { path: request.url ?? '', id: headers['webhook-id'] ?? '', headers, body: body.toString() };
      receiver.received.push(message);
      const reaction = receiver.react(message);
      if (typeof reaction === 'number') response.writeHead(reaction).end();
      else if (reaction !== 'never') reaction(response);
    });
  });
  return Object.assign(receiver, server);
}
