import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveHttp } from '@millrace/testkit/serve-http';

/** A message as it arrived. */
export interface Received {
  path: string;
  id: string;
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
}

/** What a receiver does with a message: answers with a status or in some way of its own, or never. */
export type Reaction = number | 'never' | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  /** In the order of arrival. */
  received: Received[];
  /** How it reacts from now on. */
  react: (message: Received) => Reaction;
  close(): Promise<void>;
}

/** A server that gets messages of webhooks, on the loopback. */
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
