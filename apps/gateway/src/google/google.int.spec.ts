import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { googleError, signInWithGoogle } from '@millrace/contracts/auth/google';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { CookieJar } from '@millrace/testkit/cookie-jar';
import { freePort } from '@millrace/testkit/free-port';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';
import { openIdServer, type OpenIdServer } from '../testing/openid-server.js';

const ADA = { sub: 'google-1', email: 'Ada@Example.org', email_verified: true, name: 'Ada' };

let system: GatewaySystem;
let provider: OpenIdServer;
let url: string;
/** The sign-ins that auth received. */
let signIns: unknown[];

const googleEnv = () => ({
  GOOGLE_CLIENT_ID: provider.clientId,
  GOOGLE_CLIENT_SECRET: provider.clientSecret,
  GOOGLE_ISSUER: provider.issuer,
});

beforeAll(async () => {
  system = await gatewaySystem(start);
  const port = await freePort();
  provider = await openIdServer(`http://127.0.0.1:${port}/api/auth/google/callback`);
  url = await system.start({ PORT: String(port), ...googleEnv() });
});
afterAll(async () => {
  await provider.close();
  await system.close();
});

beforeEach(() => {
  signIns = [];
  provider.user = ADA;
  system.auth.on(signInWithGoogle, ({ body }) => {
    signIns.push(body);
    return { ticket: 'a-ticket' };
  });
});

/** Follows redirects from the link through the provider until the browser returns. @returns the callback address */
async function followToCallback(browser: CookieJar, query = ''): Promise<string> {
  let next = `${url}/api/auth/google${query}`;
  for (let step = 0; step < 10; step += 1) {
    const response = await browser.fetch(next);
    next = new URL(response.headers.get('location') ?? '', next).href;
    if (next.startsWith(`${url}/api/auth/google/callback`)) return next;
  }
  throw new Error(`The browser never returned; the last redirect was to ${next}`);
}

/** The problem with which the browser returns to the sign-in page, and where that page leads to. */
function readProblem(response: Response) {
  const location = response.headers.get('location') ?? '';
  expect([response.status, location]).toEqual([302, expect.stringMatching(/^\/login\?/)]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { searchParams } = new URL(location, url);
  expect(searchParams.get('request_id')).toBe(response.headers.get('x-request-id'));
  return { error: searchParams.get('error'), next: searchParams.get('next') };
}

const problemOf = (response: Response) => readProblem(response).error;

describe('sign-in with Google', () => {
  it('returns with a ticket for the user whom the provider identified', async () => {
    const browser = new CookieJar();
    const back = await browser.fetch(await followToCallback(browser));
    expect([back.status, back.headers.get('location')]).toEqual([302, '/login?ticket=a-ticket']);
    expect(back.headers.get('cache-control')).toBe('no-store');
    expect(signIns).toEqual([{ subject: 'google-1', email: 'ada@example.org', name: 'Ada' }]);
  });

  it.each([
    ['/login?next=%2Fruns%2F7%3Fa%3Db', '/login?next=%2Fruns%2F7%3Fa%3Db&ticket=a-ticket'],
    ['https://evil.example/', '/login?ticket=a-ticket'],
    ['//evil.example/', '/login?ticket=a-ticket'],
  ])('with the return path %s redirects to %s', async (returnTo, location) => {
    const browser = new CookieJar();
    const query = `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
    const back = await browser.fetch(await followToCallback(browser, query));
    expect(back.headers.get('location')).toBe(location);
  });

  it('begins with PKCE, state and nonce, and a cookie hidden from scripts and other paths', async () => {
    const response = await new CookieJar().fetch(`${url}/api/auth/google`);
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.origin).toBe(provider.issuer);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      state: expect.any(String),
      nonce: expect.any(String),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^millrace_google=[\w-]+; Max-Age=600; Path=\/api\/auth\/google; HttpOnly; SameSite=Lax$/);
    for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(target.searchParams.get(secret));
  });

  it('behind TLS sets a secure cookie', async () => {
    const secure = await system.start({ PUBLIC_URL: 'https://millrace.example.org', ...googleEnv() });
    const response = await new CookieJar().fetch(`${secure}/api/auth/google`);
    expect(response.headers.getSetCookie()[0]).toContain('; Secure');
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.searchParams.get('redirect_uri')).toBe('https://millrace.example.org/api/auth/google/callback');
  });
});

describe('sign-in with Google is refused', () => {
  const refused = (response: Response) => {
    expect(signIns).toEqual([]);
    return problemOf(response);
  };

  it('if the user denies it at the provider', async () => {
    provider.user = null;
    const browser = new CookieJar();
    expect(refused(await browser.fetch(await followToCallback(browser)))).toBe('access_denied');
  });

  it('if the email address is not verified', async () => {
    provider.user = { ...ADA, email_verified: false };
    const browser = new CookieJar();
    expect(refused(await browser.fetch(await followToCallback(browser)))).toBe('unverified_email');
  });

  it('if the state is not that of the attempt', async () => {
    const browser = new CookieJar();
    const back = new URL(await followToCallback(browser));
    back.searchParams.set('state', 'forged');
    expect(refused(await browser.fetch(back.href))).toBe('expired_token');
  });

  it('if the response belongs to another browser’s attempt', async () => {
    const [theirs, mine] = [new CookieJar(), new CookieJar()];
    const back = await followToCallback(theirs);
    await followToCallback(mine);
    expect(refused(await mine.fetch(back))).toBe('expired_token');
    expect(refused(await new CookieJar().fetch(back))).toBe('expired_token');
  });

  it('if the cookie is forged', async () => {
    const browser = new CookieJar();
    const back = await followToCallback(browser);
    const headers = { cookie: `millrace_google=${Buffer.from('{"state":"x"}').toString('base64url')}` };
    expect(refused(await fetch(back, { headers, redirect: 'manual' }))).toBe('expired_token');
  });

  it('if a response is used twice, even with the original cookie', async () => {
    const browser = new CookieJar();
    const leaving = await fetch(`${url}/api/auth/google`, { redirect: 'manual' });
    const [cookie = ''] = (leaving.headers.getSetCookie()[0] ?? '').split(';');
    let next = leaving.headers.get('location') ?? '';
    while (!next.startsWith(url)) {
      next = new URL((await browser.fetch(next)).headers.get('location') ?? '', next).href;
    }
    const first = await fetch(next, { headers: { cookie }, redirect: 'manual' });
    expect(first.status).toBe(302);
    expect(first.headers.getSetCookie()[0]).toContain('Max-Age=0');
    signIns = [];
    expect(refused(await fetch(next, { headers: { cookie }, redirect: 'manual' }))).toBe('expired_token');
  });

  it.each([
    [googleError('forbidden', 'account_exists'), 'account_exists'],
    [new ApiError('unavailable', 'no'), 'unavailable'],
    [new ApiError('forbidden', 'A code without a sentence of its own.'), 'internal_error'],
    [new ApiError('forbidden', 'no', { problem: '//evil.example' }), 'internal_error'],
  ])('if auth refuses the user: %s', async (error, problem) => {
    system.auth.on(signInWithGoogle, () => Promise.reject(error));
    const browser = new CookieJar();
    expect(refused(await browser.fetch(await followToCallback(browser)))).toBe(problem);
  });

  it('if the address has sent too many requests', async () => {
    const limited = await system.start({ ...googleEnv(), RATE_LIMIT_PER_MINUTE: '6' });
    const begin = () => new CookieJar().fetch(`${limited}/api/auth/google`);
    expect((await begin()).headers.get('location')).toContain(provider.issuer);
    const response = await begin();
    expect([problemOf(response), response.headers.get('ratelimit-remaining')]).toEqual(['rate_limited', '0']);
    expect(problemOf(await new CookieJar().fetch(`${limited}/api/auth/google/callback`))).toBe('rate_limited');
  });
});

describe('a refused sign-in leads to the sign-in page', () => {
  it.each([
    ['/login?next=%2Fruns%2F7', '/runs/7'],
    ['/login?next=%2F', null],
    ['/login?next=https%3A%2F%2Fevil.example', null],
    ['/login?next=%2F%2Fevil.example', null],
    ['/login?error=other&ticket=t', null],
    ['/invitations/accept?token=secret&next=%2Fruns', null],
    ['https://evil.example/login?next=%2Fruns', null],
  ])('with the return path %s and the next page %s', async (returnTo, next) => {
    provider.user = null;
    const browser = new CookieJar();
    const callback = await followToCallback(browser, `?${new URLSearchParams({ return_to: returnTo }).toString()}`);
    expect(readProblem(await browser.fetch(callback))).toEqual({ error: 'access_denied', next });
  });
});

describe('an invitation', () => {
  const returnTo = `?${new URLSearchParams({ return_to: '/invitations/accept?token=secret' }).toString()}`;

  it('is accepted by a sign-in that began on its page, and its token is in no further address', async () => {
    const browser = new CookieJar();
    const back = await browser.fetch(await followToCallback(browser, returnTo));
    expect([back.status, back.headers.get('location')]).toEqual([302, '/invitations/accept?ticket=a-ticket']);
    expect(signIns).toMatchObject([{ subject: 'google-1', invitation: 'secret' }]);
  });
});

it('an outage of the provider fails only the sign-in', async () => {
  const gatewayUrl = await system.start({
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_CLIENT_SECRET: 'y',
    GOOGLE_ISSUER: 'http://127.0.0.1:1',
  });
  expect((await fetch(`${gatewayUrl}/health/live`)).status).toBe(200);
  const response = await fetch(`${gatewayUrl}/api/auth/google`, { redirect: 'manual' });
  expect(problemOf(response)).toBe('unavailable');
});

it('sign-in with Google does not exist if it is not configured', async () => {
  const plain = await system.start();
  expect((await fetch(`${plain}/api/auth/google`)).status).toBe(404);
});
