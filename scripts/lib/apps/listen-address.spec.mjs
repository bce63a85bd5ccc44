import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { listenAddress, requireFreePort } from './listen-address.mjs';

describe('listenAddress', () => {
  it.each([
    [{}, '127.0.0.1', 8080, 'http://127.0.0.1:8080'],
    [{ PORT: '9000', HOST: '0.0.0.0' }, '0.0.0.0', 9000, 'http://127.0.0.1:9000'],
    [{ HOST: '::' }, '::', 8080, 'http://[::1]:8080'],
    [{ HOST: '::1' }, '::1', 8080, 'http://[::1]:8080'],
  ])('is read from %j', (env, host, port, base) => {
    expect(listenAddress(env)).toEqual({ host, port, base });
  });

  it.each(['http', '0', '70000', '80.5'])('rejects the port %s', (PORT) => {
    expect(() => listenAddress({ PORT })).toThrow('PORT');
  });
});

describe('requireFreePort', () => {
  it('names the port that another program uses', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const listen = listenAddress({ PORT: String(port) });
    await expect(requireFreePort(listen)).rejects.toThrow(`Port ${port} is in use`);
    server.close();
    await once(server, 'close');
    await expect(requireFreePort(listen)).resolves.toBeUndefined();
  });
});
