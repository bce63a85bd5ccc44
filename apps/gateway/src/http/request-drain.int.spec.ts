import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { markLive, RequestDrain } from './request-drain.js';

let server: Server;
let drain: RequestDrain;
let responses: Map<string, ServerResponse>;
let url: string;
beforeEach(async () => {
  responses = new Map();
  server = createServer((request, response) => {
    responses.set(request.url ?? '', response);
    if (request.url === '/stream') {
      markLive(response);
      response.flushHeaders();
    }
  });
  drain = new RequestDrain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.closeAllConnections());

/** Sends a request, and resolves when the server has it. */
async function send(path: string): Promise<{ response: Promise<IncomingMessage> }> {
  const request = get(url + path);
  const response = once(request, 'response').then(([message]) => message as IncomingMessage);
  response.catch(() => undefined);
  await once(server, 'request');
  return { response };
}

it('a request that has arrived gets its response, and its client then opens another connection', async () => {
  const { response } = await send('/slow');
  const drained = drain.drain();
  while (server.listening) await nextIteration();
  await expect(fetch(url)).rejects.toThrow();
  responses.get('/slow')?.end('done');
  const message = await response;
  expect([message.headers.connection, await text(message)]).toEqual(['close', 'done']);
  await drained;
});

it('a connection that the server has not accepted yet gets its response', async () => {
  // The kernel completes it at once. The server accepts it in a later iteration of the event loop.
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write('GET /waiting HTTP/1.1\r\nhost: server\r\n\r\n');
  const drained = drain.drain();
  await Promise.race([once(server, 'request'), once(client, 'close')]);
  responses.get('/waiting')?.end('done');
  expect(await text(client)).toMatch(/connection: close[^]*done/i);
  await drained;
});

it('a stream without an end is broken at once, so that its client resumes it elsewhere', async () => {
  const message = await (await send('/stream')).response;
  const isBroken = text(message).then(
    () => false,
    () => true,
  );
  await drain.drain();
  expect(await isBroken).toBe(true);
});

it('a server without requests drains at once', async () => {
  await drain.drain();
  expect(server.listening).toBe(false);
});
