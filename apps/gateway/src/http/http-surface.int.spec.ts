import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginMfa } from '@millrace/contracts/auth/mfa';
import { login } from '@millrace/contracts/auth/sessions';
import { regenerateToken } from '@millrace/contracts/auth/users';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

let system: GatewaySystem;
let plain: string;
/** The last request that auth received. */
let received: Envelope | undefined;

beforeAll(async () => {
  system = await gatewaySystem(start);
  system.auth.on(login, (envelope) => {
    received = envelope;
    return Promise.reject(new ApiError('invalid_credentials', 'no'));
  });
  system.auth.on(regenerateToken, () => ({ token: 't', prefix: 't' }));
  system.auth.on(beginMfa, () => ({ secret: 's', otpauth_url: 'o' }));
  plain = await system.start();
});
afterAll(() => system.close());

const signIn = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"email":"a@b.c","password":"x"}',
  });

/** A GET with any Host header, which fetch does not allow to set. */
async function getAs(host: string, url: string, path: string): Promise<{ status: number; type: string; body: string }> {
  const { hostname, port } = new URL(url);
  const request = get({ hostname, port, path, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body: await text(response) };
}

/** A GET whose request line and headers are sent unmodified. */
async function sendRaw(url: string, target: string, headers: string[]): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

const pick = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name));

describe('every response', () => {
  it.each(['/api/users/me', '/api/nowhere', '/health/live', '/api/openapi.json', '/login', '/%zz'])(
    'has the security headers: %s',
    async (path) => {
      const response = await fetch(`${plain}${path}`);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(pick(response, 'x-content-type-options', 'x-frame-options', 'referrer-policy', 'x-powered-by')).toEqual([
        'nosniff',
        'DENY',
        'no-referrer',
        null,
      ]);
    },
  );

  it('requires TLS only if the request used TLS', async () => {
    const [behindProxy, configured] = await Promise.all([
      system.start({ TRUST_PROXY: 'loopback' }),
      system.start({ PUBLIC_URL: 'https://millrace.example.org' }),
    ]);
    const hsts = async (url: string, protocol = 'http') =>
      (await fetch(url, { headers: { 'x-forwarded-proto': protocol } })).headers.get('strict-transport-security');
    expect(await hsts(plain, 'https')).toBeNull();
    expect(await hsts(behindProxy)).toBeNull();
    expect(await hsts(behindProxy, 'https')).toMatch(/^max-age=\d{8}$/);
    expect(await hsts(configured)).toMatch(/^max-age=\d{8}$/);
  });

  it('with a token in it is not cached', async () => {
    const headers = { authorization: 'Token token' };
    const regenerated = await fetch(`${plain}/api/users/me/token/regenerate`, { method: 'POST', headers });
    expect([regenerated.status, ...pick(regenerated, 'cache-control')]).toEqual([200, 'no-store']);
  });
});

it('the docs page may load all of its parts', async () => {
  const response = await fetch(`${plain}/api/docs`);
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';.*connect-src 'self'/);
  const page = await response.text();
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, source]) => new URL(source ?? '', response.url),
  );
  expect(sources.length).toBeGreaterThan(3);
  for (const { origin, href } of sources) {
    expect(origin).toBe(plain);
    expect([href, (await fetch(href)).status]).toEqual([href, 200]);
  }
  expect(page).not.toMatch(/<script>|<script [^>]*>[^<]*\S[^<]*<\/script>/);
});

it('the docs page stores no token in the browser', async () => {
  const settings = await (await fetch(`${plain}/api/docs/static/swagger-initializer.js`)).text();
  expect(settings).toContain('SwaggerUIBundle');
  expect(settings).not.toMatch(/"persistAuthorization":\s*true/);
});

describe('the Host header', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:8080'])(
    'may be %s',
    async (host) => {
      expect((await getAs(host, plain, '/health/live')).status).toBe(200);
      expect((await getAs(host, plain, '/login')).status).toBe(200);
    },
  );

  const foreign = ['evil.example.org', 'evil.example.org:8080', '127.0.0.1.evil.example.org', 'localhost.'];
  it.each(foreign)('may not be a foreign name, which DNS rebinding could use: "%s"', async (host) => {
    for (const path of [
      '/api/users/me',
      '/api/nowhere',
      '/api/openapi.json',
      '/api/docs',
      '/health/live',
      '/nowhere',
      '/login',
    ]) {
      const { status, type, body } = await getAs(host, plain, path);
      expect([path, status, type]).toEqual([path, 403, 'application/json; charset=utf-8']);
      expect(JSON.parse(body)).toMatchObject({ code: 'forbidden', message: expect.stringContaining('PUBLIC_URL') });
    }
  });

  it.each([{ PUBLIC_URL: 'https://millrace.example.org' }, { TRUST_PROXY: 'loopback' }, { HOST: '0.0.0.0' }])(
    'may be any name if the configuration exposes the gateway: %j',
    async (env) => {
      const url = await system.start(env);
      expect((await getAs('other.example.org', url, '/health/live')).status).toBe(200);
    },
  );
});

describe('a request with two hosts or an invalid one', () => {
  const path = '/api/users/me';
  const own = 'localhost:1';

  it.each([
    ['two Host headers', path, ['Host: localhost:1', 'Host: evil.example.org']],
    ['the same Host header twice', path, ['Host: localhost:1', 'hOST: localhost:1']],
    ['a Host header with a user', path, ['Host: x@localhost']],
    ['a Host header with two hosts', path, ['Host: localhost, evil.example.org']],
    ['an empty Host header', path, ['Host: ']],
    ['an absolute target of another host', `http://evil.example.org${path}`, [`Host: ${own}`]],
    ['an absolute target of another port', `http://localhost:2${path}`, [`Host: ${own}`]],
    ['an absolute target with a user', `http://x@${own}${path}`, [`Host: ${own}`]],
    ['two Host headers and a path with invalid encoding', '/%zz', ['Host: localhost:1', 'Host: evil.example.org']],
  ])('is rejected with 400: %s', async (_case, target, headers) => {
    const { status, body } = await sendRaw(plain, target, headers);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { code: 'validation_error', message: expect.any(String), details: { 'header.Host': expect.any(String) } },
    ]);
  });

  it('does not include a request whose absolute target names the host of the Host header', async () => {
    const headers = [`Host: ${own}`, 'Authorization: Token token'];
    expect((await sendRaw(plain, `http://${own}${path}`, headers)).status).toBe(200);
    expect((await sendRaw(plain, `http://${own}`, [`Host: ${own}`])).body).toContain('<div id="root">');
  });
});

describe('a path that the router cannot read', () => {
  const digits = (count: number) => '7'.repeat(count);

  it.each([
    ['invalid percent-encoding', '/api/runs/%zz', 'not valid percent-encoding'],
    ['a part that is too long', `/api/runs/${digits(5_000)}`, 'more than 1100 characters between two slashes'],
    ['a part that is too long, before another', `/api/runs/${digits(1_101)}/subjobs`, 'more than 1100 characters'],
  ])('is a 404 whose message gives the reason: %s', async (_case, path, message) => {
    const response = await fetch(`${plain}${path}`, { headers: { authorization: 'Token token' } });
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 'not_found', message: expect.stringContaining(message) },
    ]);
  });
});

describe('a page of another origin', () => {
  const origin = 'https://app.example.org';
  const preflight = (url: string, from: string) =>
    fetch(`${url}/api/users/me`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it('is not allowed by default', async () => {
    expect(allowed(await preflight(plain, origin))).toBeNull();
    expect(allowed(await fetch(`${plain}/health/live`, { headers: { origin } }))).toBeNull();
  });

  it('is allowed without credentials if it is configured, and others are not', async () => {
    const url = await system.start({ CORS_ORIGINS: `https://other.example.org, ${origin}` });
    const response = await preflight(url, origin);
    expect(response.status).toBe(204);
    expect(pick(response, 'access-control-allow-origin', 'access-control-allow-credentials')).toEqual([origin, null]);
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(allowed(await preflight(url, 'https://evil.example.org'))).toBeNull();
    const refused = await fetch(`${url}/api/users/me`, { headers: { origin } });
    expect([refused.status, allowed(refused)]).toEqual([401, origin]);
  });
});

describe('the address of a client', () => {
  const from = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-host': 'millrace.example.org' };

  it('is the address of the connection, regardless of the headers', async () => {
    await signIn(plain, from);
    expect(received?.client).toMatchObject({ address: '127.0.0.1', origin: plain });
  });

  it.each(['1', 'loopback', '127.0.0.0/8'])('is read from the headers of a trusted proxy: %s', async (TRUST_PROXY) => {
    await signIn(await system.start({ TRUST_PROXY }), from);
    expect(received?.client).toMatchObject({ address: '203.0.113.9', origin: 'http://millrace.example.org' });
  });

  it('comes with the origin of PUBLIC_URL if that is set', async () => {
    await signIn(await system.start({ PUBLIC_URL: 'https://millrace.example.org/' }));
    expect(received?.client?.origin).toBe('https://millrace.example.org');
  });
});

it.each([
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
  [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
  [{ CORS_ORIGINS: 'https://a.example/path' }, 'CORS_ORIGINS'],
  [{ RATE_LIMIT_PER_MINUTE: '-1' }, 'RATE_LIMIT_PER_MINUTE'],
  [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_ID'],
  [{ GOOGLE_ISSUER: 'http://accounts.example.org' }, 'GOOGLE_ISSUER'],
])('the invalid setting %j is reported by name', async (env, name) => {
  await expect(system.start(env as Record<string, string>)).rejects.toThrow(name);
});

it('an API token is refused for operations that require a session', async () => {
  const response = await fetch(`${plain}/api/users/me/mfa`, {
    method: 'POST',
    headers: { authorization: 'Token token' },
  });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'forbidden', message: expect.stringContaining('session') });
});

it('the API accepts no forms, so that no foreign page can submit one', async () => {
  const response = await fetch(`${plain}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'a@b.c', password: 'x' }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'validation_error' });
});
