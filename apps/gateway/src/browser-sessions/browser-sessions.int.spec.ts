import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { redeemTicket } from '@millrace/contracts/auth/google';
import { acceptInvitation } from '@millrace/contracts/auth/invitations';
import { changePassword } from '@millrace/contracts/auth/passwords';
import { login, logout, refreshSession, signup } from '@millrace/contracts/auth/sessions';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { gatewaySystem, ME, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { readSetCookies, toCookieHeader } from '@millrace/testkit/read-set-cookies';
import { start } from '../start.js';
import { fakeFeeds } from '../testing/fake-feeds.js';
import { fakeSigningKey } from '../testing/fake-signing-key.js';

const PASSWORD = 'correct horse battery';
const HEADER = { 'x-millrace-session': 'cookie' };

let system: GatewaySystem;
let url: string;
let copy: string;
/** The calls of `refreshSession`. */
let renewals: Envelope[];
let isSessionEnded: boolean;
const key = fakeSigningKey();
const user = ownerCaller().user;

beforeAll(async () => {
  system = await gatewaySystem(start);
  const { auth } = system;
  auth.on(listSigningKeys, () => key.published);
  auth.on(login, () => ({ ...newTokens(), user: ME }));
  auth.on(signup, () => ({ ...newTokens(), user: ME }));
  auth.on(redeemTicket, () => ({ ...newTokens(), user: ME }));
  auth.on(acceptInvitation, () => ({ ...newTokens(), user: ME }));
  auth.on(changePassword, () => newTokens());
  auth.on(logout, () => ({ success: true }));
  await fakeFeeds(system, 'm');
  [url, copy] = [await system.start(), await system.start()] as [string, string];
});
afterAll(() => system.close());
beforeEach(() => {
  renewals = [];
  isSessionEnded = false;
  system.auth.on(refreshSession, (envelope) => {
    renewals.push(envelope);
    return newTokens();
  });
  system.auth.on(resolveCaller, ({ body }) => {
    const caller = { ...ownerCaller(), user: (body as { user?: string }).user ?? user };
    return { caller: isSessionEnded ? null : caller };
  });
});

const newTokens = (lifetime = 900) => ({
  access: key.access(user, lifetime),
  refresh: `refresh-${Math.random()}`,
  expiresAt: new Date(Date.now() + lifetime * 1000).toISOString(),
});

const portOf = (at: string) => new URL(at).port;
const cookies = (tokens: { access?: string; refresh?: string }, port = portOf(url), prefix = '') =>
  Object.entries(tokens)
    .filter(([name]) => name !== 'expiresAt')
    .map(([name, value]) => `${prefix}millrace_${name}_${port}=${value}`)
    .join('; ');

interface SentRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  at?: string;
}
const send = (path: string, { method = 'GET', headers = {}, body, at = url }: SentRequest = {}) =>
  fetch(`${at}${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    ...(body && { body: JSON.stringify(body) }),
  });
const getMe = (cookie: string, headers: Record<string, string> = {}, at = url) =>
  send('/api/users/me', { headers: { cookie, ...headers }, at });

const signInRequests: [string, string, object][] = [
  ['login', '/api/auth/login', { email: 'a@b.c', password: PASSWORD }],
  ['signup', '/api/auth/signup', { email: 'a@b.org', password: PASSWORD, name: 'Ada' }],
  ['the ticket of Google', '/api/auth/google/token', { ticket: 't' }],
  ['an invitation', '/api/auth/invitations/accept', { token: 't', password: PASSWORD, name: 'Ada' }],
];

describe('a sign-in with the header', () => {
  it.each(signInRequests)('gets the tokens in cookies and not in the body: %s', async (_case, path, body) => {
    const response = await send(path, { method: 'POST', body, headers: HEADER });
    expect(Object.keys((await response.json()) as object)).toEqual(['user']);
    const set = readSetCookies(response.headers);
    expect([...set.keys()]).toEqual([`millrace_access_${portOf(url)}`, `millrace_refresh_${portOf(url)}`]);
    for (const { attributes } of set.values()) {
      expect(attributes.sort()).toEqual(['httponly', 'max-age=2592000', 'path=/api', 'samesite=strict']);
    }
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await getMe(toCookieHeader(set))).status).toBe(200);
  });

  it.each(signInRequests)('gets them in the body without the header: %s', async (_case, path, body) => {
    const response = await send(path, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ access: expect.any(String), refresh: expect.any(String) });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL has https', { PUBLIC_URL: 'https://millrace.example.org:8443' }, {}, '8443'],
    [
      'a trusted proxy says so',
      { TRUST_PROXY: 'loopback' },
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.org' },
      '443',
    ],
  ])('gets cookies that need TLS if %s', async (_case, env, headers, port) => {
    const at = await system.start(env);
    const [, path, body] = signInRequests[0]!;
    const response = await send(path, { method: 'POST', body, headers: { ...HEADER, ...headers }, at });
    const set = readSetCookies(response.headers);
    expect([...set.keys()]).toEqual([`__Secure-millrace_access_${port}`, `__Secure-millrace_refresh_${port}`]);
    for (const { attributes } of set.values()) expect(attributes).toContain('secure');
    expect((await getMe(toCookieHeader(set), headers, at)).status).toBe(200);
    expect((await getMe(toCookieHeader(set).replaceAll('__Secure-', ''), headers, at)).status).toBe(401);
  });

  it('is refused if the header has another value', async () => {
    const [, path, body] = signInRequests[0]!;
    const response = await send(path, { method: 'POST', body, headers: { 'x-millrace-session': 'body' } });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { details: { 'header.X-Millrace-Session': 'must be "cookie"' } },
    ]);
  });

  it('is refused from a page of another origin', async () => {
    const [, path, body] = signInRequests[0]!;
    const headers = { ...HEADER, origin: 'https://evil.example.org' };
    const response = await send(path, { method: 'POST', body, headers });
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('replaces the cookies of an earlier one, and neither uses nor renews them', async () => {
    const [, path, body] = signInRequests[0]!;
    const cookie = cookies({ access: key.access(user, -60), refresh: 'earlier' });
    const response = await send(path, { method: 'POST', body, headers: { ...HEADER, cookie } });
    expect([response.status, response.headers.getSetCookie().length, renewals.length]).toEqual([200, 2, 0]);
  });
});

describe('cookies', () => {
  it('authenticate a request', async () => {
    const response = await getMe(cookies({ access: key.access(user), refresh: 'r' }));
    expect([response.status, response.headers.getSetCookie(), renewals]).toEqual([200, [], []]);
  });

  it('lose against an Authorization header', async () => {
    const cookie = cookies({ access: key.access(user), refresh: 'r' });
    expect((await getMe(cookie, { authorization: 'Bearer nonsense.x.y' })).status).toBe(401);
    const expired = cookies({ access: key.access(user, -60), refresh: 'r' });
    const response = await getMe(expired, { authorization: `Bearer ${key.access(user)}` });
    expect([response.status, response.headers.getSetCookie(), renewals]).toEqual([200, [], []]);
  });

  it('of an installation on another port of the host are not used', async () => {
    const response = await getMe(cookies({ access: key.access(user), refresh: 'r' }, '1'));
    expect([response.status, response.headers.getSetCookie(), renewals]).toEqual([401, [], []]);
  });

  it.each(['/', '/health/live', '/device', '/api/openapi.json', '/api/nowhere', '/api/auth/google'])(
    'are not used for a path that needs no credential: %s',
    async (path) => {
      const cookie = cookies({ access: key.access(user, -60), refresh: 'r' });
      const response = await send(path, { headers: { cookie } });
      expect([response.headers.getSetCookie(), renewals]).toEqual([[], []]);
    },
  );

  it('are deleted if their session has ended', async () => {
    isSessionEnded = true;
    const response = await getMe(cookies({ access: key.access(user), refresh: 'r' }));
    expect(response.status).toBe(401);
    const set = readSetCookies(response.headers);
    expect(set.size).toBe(2);
    for (const { value, attributes } of set.values()) {
      expect(value).toBe('');
      expect(attributes).toEqual(expect.arrayContaining(['max-age=0', 'path=/api']));
    }
  });

  it('count for the limits of their session, not of the address', async () => {
    const at = await system.start({ RATE_LIMIT_PER_MINUTE: '12' });
    const [mine, theirs] = [key.access(user), key.access(user)];
    const request = (access: string) => getMe(cookies({ access, refresh: 'r' }, portOf(at)), {}, at);
    expect((await request(mine)).status).toBe(200);
    expect((await request(mine)).status).toBe(200);
    expect((await request(mine)).status).toBe(429);
    expect((await request(theirs)).status).toBe(200);
  });
});

describe('an expired access token in a cookie', () => {
  const expired = () => cookies({ access: key.access(user, -60), refresh: 'the refresh token' });

  it.each([
    ['has expired', () => expired()],
    ['ends within 30 s', () => cookies({ access: key.access(user, 25), refresh: 'r' })],
    ['is missing', () => cookies({ refresh: 'r' })],
    ['is no JWT', () => cookies({ access: 'nonsense', refresh: 'r' })],
  ])('that %s is renewed, and the response has the new tokens', async (_case, cookie) => {
    const response = await getMe(cookie());
    expect([response.status, renewals.length]).toEqual([200, 1]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const set = toCookieHeader(readSetCookies(response.headers));
    expect((await getMe(set)).status).toBe(200);
    expect(renewals.length).toBe(1);
  });

  it('is renewed once for ten requests at the same time', async () => {
    system.auth.on(refreshSession, async (envelope) => {
      renewals.push(envelope);
      await sleep(200);
      return newTokens();
    });
    const cookie = expired();
    const responses = await Promise.all(Array.from({ length: 10 }, () => getMe(cookie)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map(({ headers }) => headers.getSetCookie().join())).size).toBe(1);
    expect(renewals.length).toBe(1);
  });

  it('is renewed with the same idempotency key by every copy, which is not the token', async () => {
    const at = (base: string) => cookies({ access: key.access(user, -60), refresh: 'the refresh token' }, portOf(base));
    await getMe(at(url));
    await getMe(at(copy), { 'user-agent': 'another' }, copy);
    const keys = renewals.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/), keys[0]]);
    expect(renewals[0]).toMatchObject({ body: { refresh: 'the refresh token' }, client: { address: '127.0.0.1' } });
  });

  it.each(['invalid_credentials', 'expired_token'] as const)(
    'whose renewal is refused (%s) deletes the cookies',
    async (code) => {
      system.auth.on(refreshSession, () => Promise.reject(new ApiError(code, 'no')));
      const response = await getMe(expired());
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
      expect([...readSetCookies(response.headers).values()].map(({ value }) => value)).toEqual(['', '']);
    },
  );

  it('without a refresh token deletes the cookies', async () => {
    const response = await getMe(cookies({ access: key.access(user, -60) }));
    expect([response.status, renewals.length]).toEqual([401, 0]);
    expect(readSetCookies(response.headers).size).toBe(2);
  });

  it('is 503 while auth cannot renew it, and the cookies stay', async () => {
    system.auth.on(refreshSession, () => Promise.reject(new ApiError('unavailable', 'no')));
    const response = await getMe(expired());
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
    expect(await response.json()).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('session cannot be renewed'),
    });
  });

  it('whose repeated renewal has expired too is reported to auth as reused', async () => {
    system.auth.on(refreshSession, (envelope) => {
      renewals.push(envelope);
      if (envelope.idempotencyKey === undefined) throw new ApiError('invalid_credentials', 'reused');
      return newTokens(-1);
    });
    const response = await getMe(expired());
    expect([response.status, renewals.length]).toEqual([401, 2]);
    expect([...readSetCookies(response.headers).values()].map(({ value }) => value)).toEqual(['', '']);
  });

  it('causes no request to auth from an address that has used up its limit', async () => {
    const at = await system.start({ RATE_LIMIT_PER_MINUTE: '6' });
    system.auth.on(refreshSession, (envelope) => {
      renewals.push(envelope);
      throw new ApiError('invalid_credentials', 'no');
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const cookie = cookies({ refresh: `invented ${attempt}`.replace(' ', '-') }, portOf(at));
      statuses.push((await getMe(cookie, {}, at)).status);
    }
    expect(statuses.slice(1)).toEqual([429, 429, 429]);
    expect(renewals.length).toBeLessThanOrEqual(2);
  });

  it('is renewed for a stream, whose headers have the new tokens', async () => {
    const stop = new AbortController();
    const response = await fetch(`${url}/api/notifications/stream`, {
      headers: { cookie: expired(), 'sec-fetch-site': 'same-origin' },
      signal: stop.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const set = readSetCookies(response.headers);
    expect(set.size).toBe(2);
    expect((await getMe(toCookieHeader(set))).status).toBe(200);
    stop.abort();
  });
});

describe('a request that changes something', () => {
  const cookie = () => cookies({ access: key.access(user), refresh: 'r' });
  const change = (headers: Record<string, string>, at = url) =>
    send('/api/auth/logout', { method: 'POST', body: {}, headers: { cookie: cookie(), ...headers }, at });

  it.each([
    ['of a foreign page', () => ({ origin: 'https://evil.example.org' })],
    ['of another port of this host', () => ({ origin: 'http://127.0.0.1:1' })],
    ['of another scheme', () => ({ origin: url.replace('http:', 'https:') })],
    ['of a page without an origin', () => ({ origin: 'null' })],
    ['without an origin', () => ({})],
  ])('by cookies %s is refused, and the cookies stay', async (_case, headers) => {
    const response = await change(headers());
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    expect(await response.json()).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('pages of this installation'),
    });
  });

  it('by cookies of a page of this host, or of the public address, is accepted', async () => {
    expect((await change({ origin: url })).status).toBe(200);
    const at = await system.start({ PUBLIC_URL: 'http://millrace.example.org' });
    const headers = { cookie: cookies({ access: key.access(user), refresh: 'r' }, '80') };
    expect((await change({ ...headers, origin: 'http://millrace.example.org' }, at)).status).toBe(200);
    expect((await change({ ...headers, origin: at }, at)).status).toBe(200);
    expect((await change({ ...headers, origin: 'http://other.example.org' }, at)).status).toBe(403);
  });

  it('by an Authorization header needs no origin', async () => {
    const authorization = `Bearer ${key.access(user)}`;
    expect((await change({ authorization, origin: 'https://evil.example.org' })).status).toBe(200);
  });

  it('renews nothing if it is refused', async () => {
    const expired = cookies({ access: key.access(user, -60), refresh: 'r' });
    expect((await change({ cookie: expired })).status).toBe(403);
    expect(renewals).toEqual([]);
  });
});

describe('a request that reads', () => {
  const cookie = () => cookies({ access: key.access(user), refresh: 'r' });

  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 401],
    ['cross-site', 401],
  ])('with Sec-Fetch-Site %s gets %i', async (site, status) => {
    const response = await getMe(cookie(), { 'sec-fetch-site': site });
    expect([response.status, response.headers.getSetCookie()]).toEqual([status, []]);
  });

  it('may be a HEAD', async () => {
    const response = await send('/api/users/me', { method: 'HEAD', headers: { cookie: cookie() } });
    expect(response.status).toBe(200);
  });
});

describe('an operation that ends or replaces the session', () => {
  const cookie = () => cookies({ access: key.access(user), refresh: 'r' });
  const origin = () => url;

  it('deletes the cookies if it is a sign-out', async () => {
    const headers = { cookie: cookie(), origin: origin() };
    const response = await send('/api/auth/logout', { method: 'POST', headers });
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    expect([...readSetCookies(response.headers).values()].map(({ value }) => value)).toEqual(['', '']);
  });

  it('keeps the cookies if it ends another session by its refresh token', async () => {
    const headers = { cookie: cookie(), origin: origin() };
    const response = await send('/api/auth/logout', { method: 'POST', headers, body: { refresh: 'another' } });
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('sets no cookies for a client that sends a header', async () => {
    const headers = { authorization: `Bearer ${key.access(user)}` };
    const response = await send('/api/auth/logout', { method: 'POST', headers, body: { refresh: 'r' } });
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('replaces the cookies if it changes the password, and shows no token', async () => {
    const headers = { cookie: cookie(), origin: origin() };
    const body = { current_password: PASSWORD, password: `${PASSWORD} 2` };
    const response = await send('/api/users/me/password', { method: 'PUT', headers, body });
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect((await getMe(toCookieHeader(readSetCookies(response.headers)))).status).toBe(200);
  });
});
