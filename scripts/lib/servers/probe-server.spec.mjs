import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { accepts, endpointOf, exchange, PROBES } from './probe-server.mjs';

/**
 * @param {(socket: import('node:net').Socket) => void} onConnect
 * @param {(endpoint: { host: string, port: number }) => Promise<void>} use
 */
async function withServer(onConnect, use) {
  const server = createServer(onConnect).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await use({ host: '127.0.0.1', port }).finally(() => server.close());
}

describe('a probe', () => {
  it.each([
    ['postgres', 'N', true],
    ['redis', '-NOAUTH Authentication required.\r\n', true],
    ['redis', '-LOADING Redis is loading the dataset in memory\r\n', false],
    ['nats', 'INFO {"server_id":"x"}\r\n', true],
    ['nats', 'HTTP/1.1 400 Bad Request\r\n', false],
  ])('for a %s server that responds %j is %s', async (kind, response, expected) => {
    await withServer(
      (socket) => socket.end(response),
      async (endpoint) => expect(await PROBES[kind]?.(endpoint)).toBe(expected),
    );
  });

  it('detects a missing server and a server that does not respond', async () => {
    await withServer(
      (socket) => void socket.on('error', () => undefined).unref(),
      async (endpoint) => {
        expect(await exchange(endpoint, 'hello', 100)).toBeUndefined();
        expect(await accepts(endpoint)).toBe(true);
      },
    );
    expect(await accepts({ host: '127.0.0.1', port: 1 })).toBe(false);
  });
});

describe('endpointOf', () => {
  it.each([
    ['postgres', 'postgresql://u:p@db.local/x', { host: 'db.local', port: 5432 }],
    ['redis', 'rediss://:p@127.0.0.1:7000/0', { host: '127.0.0.1', port: 7000 }],
    ['nats', 'nats://a:4223,nats://b:4224', { host: 'a', port: 4223 }],
    ['nats', 'a:4223', { host: 'a', port: 4223 }],
    ['postgres', 'postgresql://[::1]:5433/x', { host: '::1', port: 5433 }],
    ['postgres', 'postgresql:///x?host=/run/postgresql', undefined],
  ])('reads the endpoint of %s from %s', (kind, url, endpoint) => {
    expect(endpointOf(kind, url)).toEqual(endpoint);
  });
});
