import { get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { EventStream } from './event-stream.js';

let server: FastifyInstance;
let handle: (stream: EventStream, reply: FastifyReply) => Promise<void>;
beforeEach(() => {
  server = fastify();
  server.get('/', (_, reply) => void handle(new EventStream(reply), reply));
});
afterEach(() => server.close());

/** More than a connection's buffer, so that each event waits for a drain. */
const LARGE = 'x'.repeat(500_000);

it('events arrive complete and in order through many waits, and waits leave no listeners behind', async () => {
  const counts: number[] = [];
  handle = async (stream, { raw }) => {
    const listeners = () => raw.listenerCount('drain') + raw.listenerCount('close');
    counts.push(listeners());
    for (let number = 1; number <= 40; number++) await stream.send('large', LARGE, String(number));
    counts.push(listeners());
    await stream.end('end', null);
  };
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const frames = (await (await fetch(address)).text()).split('\n\n');
  expect(frames.slice(0, 40)).toEqual(
    Array.from({ length: 40 }, (_, index) => `id: ${index + 1}\nevent: large\ndata: "${LARGE}"`),
  );
  expect(frames.slice(40)).toEqual(['event: end\ndata: null', '']);
  expect(counts[1]).toBe(counts[0]);
});

it('a disconnect ends the wait of an event, and later events are not sent', async () => {
  let sent = 0;
  const finished = new Promise<void>((resolve) => {
    handle = async (stream) => {
      for (; !stream.isClosed; sent++) await stream.send('large', LARGE);
      await stream.send('large', LARGE);
      resolve();
    };
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const request = get(address, (response) => {
    void text(response).catch(() => undefined);
    request.destroy();
  });
  await finished;
  expect(sent).toBeGreaterThan(0);
});

it('HEAD receives only the headers, and its connection is free for the next request', async () => {
  handle = async (stream) => {
    await stream.send('here', stream.isClosed);
    await stream.end('end', null);
  };
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.server.address() as AddressInfo).port);
  socket.write('HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const [head, rest] = (await text(socket)).split(/(?<=\r\n\r\n)(?=HTTP)/);
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n.*content-type: text\/event-stream.*\r\n\r\n$/s);
  expect(rest).toMatch(/^HTTP\/1.1 200 OK\r\n.*event: here\ndata: false\n\n.*event: end/s);
});
