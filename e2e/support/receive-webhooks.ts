import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Takes whatever webhooks bring, as their receiver would: one that comes again says so by its `webhook-id`. */
export interface Receiver {
  url: string;
  /** Ids of the messages that tell of a run. */
  idsOf(run: string): string[];
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
    idsOf: (run) => [...messages].filter(([, body]) => runOf(body) === run).map(([id]) => id),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body also has ids of subjobs, which may equal the id of another run. */
const runOf = (body: string): unknown => (JSON.parse(body) as { data: { run?: unknown } }).data.run;
