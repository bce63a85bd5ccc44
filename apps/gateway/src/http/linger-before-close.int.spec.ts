import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { lingerBeforeClose, type LingerLimits } from './linger-before-close.js';

const MIB = 1024 * 1024;
const LIMITS: LingerLimits = { timeoutMs: 20_000, idleTimeoutMs: 10_000, maxBytes: 64 * MIB };

let fastify: FastifyInstance;
let handled: string[];
let socket: Socket;
/** The other end of `socket`. */
let serverSocket: Socket;
beforeEach(() => {
  handled = [];
});
afterEach(async () => {
  socket.destroy();
  await fastify.close();
});

/**
 * Starts a server that accepts bodies of 1 MiB, and opens a connection that reads nothing until `readResponse`. Its client does
 * not close its side when the server has closed its own.
 */
async function open(limits: Partial<LingerLimits> = {}): Promise<void> {
  fastify = Fastify({ bodyLimit: MIB, forceCloseConnections: true });
  lingerBeforeClose(fastify, { ...LIMITS, ...limits });
  fastify.post('/items', (_request, reply) => {
    handled.push('items');
    void reply.send('stored');
  });
  fastify.post('/early', { onRequest: (_request, reply) => void reply.code(401).send('early') }, () => undefined);
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  const accepted = once(fastify.server, 'connection');
  const { port } = fastify.server.address() as AddressInfo;
  socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  [serverSocket] = (await accepted) as [Socket];
}

const head = (bytes: number, path = '/items', headers: string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: server',
    'content-type: application/json',
    `content-length: ${bytes}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const write = (content: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(content, (error) => (error ? reject(error) : resolve()));
  });

/** Everything that the server sends until it ends the connection. */
async function readResponse(): Promise<string> {
  let received = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) received += chunk.toString();
  return received;
}

it('a client that writes all of a body that is too large reads the 413 afterwards', async () => {
  await open();
  await write(head(8 * MIB));
  await write(Buffer.alloc(8 * MIB, 'x'));
  expect(await readResponse()).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
});

it('a client that writes slowly reads the 413 afterwards', async () => {
  await open();
  await write(head(2 * MIB));
  for (let part = 0; part < 16; part += 1) {
    await sleep(50);
    await write(Buffer.alloc(MIB / 8, 'x'));
  }
  expect(await readResponse()).toMatch(/^HTTP\/1\.1 413 /);
});

it('a client that closes its connections itself reads the 413 as well', async () => {
  await open();
  await write(head(8 * MIB, '/early', ['connection: close']));
  await write(Buffer.alloc(8 * MIB, 'x'));
  expect(await readResponse()).toMatch(/^HTTP\/1\.1 401 .*early$/s);
});

it('a connection whose request was read to its end can be used again', async () => {
  await open();
  await write(head(2 * MIB, '/early'));
  await write(Buffer.alloc(2 * MIB, 'x'));
  await write(`${head(2, '/items', ['connection: close'])}{}`);
  expect(await readResponse()).toMatch(/^HTTP\/1\.1 401 .*HTTP\/1\.1 200 .*stored$/s);
});

it('a request that follows on a connection that is being closed is not handled', async () => {
  await open();
  await write(head(2 * MIB));
  await sleep(200);
  await write(Buffer.concat([Buffer.alloc(2 * MIB, 'x'), Buffer.from(`${head(2)}{}`)]));
  expect(await readResponse()).not.toContain('stored');
  expect(handled).toEqual([]);
});

it.each(['/items', '/early'])('a client of %s that sends nothing more is disconnected', async (path) => {
  await open({ idleTimeoutMs: 300 });
  await write(head(2 * MIB, path));
  const startedAt = performance.now();
  await once(serverSocket, 'close');
  expect(performance.now() - startedAt).toBeGreaterThan(250);
});

it('a client that never ends is disconnected after the timeout', async () => {
  await open({ timeoutMs: 500 });
  socket.on('error', () => undefined);
  await write(head(1024 * MIB));
  const startedAt = performance.now();
  const timer = setInterval(() => socket.write('x'), 20);
  await once(serverSocket, 'close');
  clearInterval(timer);
  expect(performance.now() - startedAt).toBeGreaterThan(450);
});

it('the server reads little more than the limit of a rest, and the client has time to read the response', async () => {
  await open({ maxBytes: 4 * MIB, idleTimeoutMs: 1_500 });
  socket.on('error', () => undefined);
  await write(head(1024 * MIB));
  const chunk = Buffer.alloc(MIB, 'x');
  const timer = setInterval(() => socket.writableLength < 4 * MIB && socket.write(chunk), 5);
  const startedAt = performance.now();
  await once(serverSocket, 'close');
  clearInterval(timer);
  // The buffers of the kernel, and what arrives between two checks.
  expect(serverSocket.bytesRead).toBeLessThan(64 * MIB);
  expect(performance.now() - startedAt).toBeGreaterThan(1_400);
});
