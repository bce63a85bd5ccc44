import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProxyAgent, request } from 'undici';
import { AllowList } from '../addresses/allow-list.js';
import { startEgressProxy } from './egress-proxy.js';

let hits = 0;
const server = createServer((_request, response) => response.end(String(hits++)));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const port = () => (server.address() as AddressInfo).port;

async function fetchStatus(proxy: string, url: string, proxyTunnel: boolean): Promise<number> {
  const dispatcher = new ProxyAgent({ uri: proxy, proxyTunnel });
  try {
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    return statusCode;
  } catch {
    return 0;
  } finally {
    await dispatcher.close();
  }
}

it.each([true, false])('EgressProxy forwards allowed requests (tunnel: %p)', async (tunnel) => {
  const proxy = await startEgressProxy(AllowList.read('127.0.0.1'));
  expect(await fetchStatus(proxy.url, `http://127.0.0.1:${port()}/`, tunnel)).toBe(200);
  expect(proxy.failure).toBeNull();
  await proxy.close();
});

it.each([
  ['127.0.0.1', true],
  ['127.0.0.1', false],
  ['localhost', true],
  ['localhost', false],
  ['2130706433', true],
  ['[::ffff:127.0.0.1]', true],
  ['rebound.example.org', true],
])('EgressProxy rejects %s (tunnel: %p) and reports why', async (host, tunnel) => {
  const before = hits;
  const proxy = await startEgressProxy(AllowList.read(''), (_name, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  expect(await fetchStatus(proxy.url, `http://${host}:${port()}/`, tunnel)).not.toBe(200);
  expect(proxy.failure?.message).toContain('is not an address of the public internet');
  await proxy.close();
  expect(hits).toBe(before);
});

it('EgressProxy reports an unknown host as a transient failure', async () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND none.test'), { code: 'ENOTFOUND' });
  const proxy = await startEgressProxy(AllowList.read(''), (_name, callback) => callback(unknown, []));
  await fetchStatus(proxy.url, 'http://none.test/', false);
  expect(proxy.failure).toMatchObject({ message: 'the host is not known', isTransient: true });
  await proxy.close();
});

it.each([true, false])(
  'EgressProxy counts received bytes, including those of closed connections (tunnel: %p)',
  async (tunnel) => {
    const proxy = await startEgressProxy(AllowList.read('127.0.0.1'));
    const large = createServer((_request, response) => response.end(Buffer.alloc(100_000)));
    await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
    await fetchStatus(proxy.url, `http://127.0.0.1:${(large.address() as AddressInfo).port}/`, tunnel);
    expect(proxy.received).toBeGreaterThan(100_000);
    expect(proxy.received).toBeLessThan(102_000);
    await proxy.close();
    await new Promise((resolve) => large.close(resolve));
  },
);

it('EgressProxy rejects clients without its password', async () => {
  const proxy = await startEgressProxy(AllowList.read('*'));
  const before = hits;
  for (const url of [proxy.url.replace(/:[0-9a-f]+@/, ':guess@'), proxy.url.replace(/\/\/.*@/, '//')]) {
    expect(await fetchStatus(url, `http://127.0.0.1:${port()}/`, true)).not.toBe(200);
    expect(await fetchStatus(url, `http://127.0.0.1:${port()}/`, false)).not.toBe(200);
  }
  expect(hits).toBe(before);
  await proxy.close();
});

it.each(['x', 'é'])('EgressProxy rejects a wrong password of the same length: %s', async (character) => {
  const proxy = await startEgressProxy(AllowList.read('*'));
  const { hostname, port: at, username, password } = new URL(proxy.url);
  const authorization = Buffer.from(`${username}:${character.repeat(password.length)}`).toString('base64');
  const headers = { 'proxy-authorization': `Basic ${authorization}` };
  const path = `http://127.0.0.1:${port()}/`;
  const { statusCode } = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ hostname, port: at, path, headers }, (response) => resolve(response.resume())).on('error', reject),
  );
  expect(statusCode).toBe(407);
  await proxy.close();
});
