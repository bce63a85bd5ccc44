import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Receives all webhook messages. A message that is sent again has the same `webhook-id`, as for any receiver. */
export interface Receiver {
  url: string;
  /** Ids of the messages about a run. */
  messageIdsOf(run: string): string[];
  stop(): Promise<void>;
}

export async function receiveWebhooks(): Promise<Receiver> {
  const messages = new Map<string, string>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      messages.set(String(request.headers['webhook-id']), body);
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messageIdsOf: (run) => [...messages].filter(([, body]) => runOf(body) === run).map(([id]) => id),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The run that a message is about. The body also has ids of subjobs, which may equal the id of another run. */
const runOf = (body: string): unknown => (JSON.parse(body) as { data: { run?: unknown } }).data.run;
