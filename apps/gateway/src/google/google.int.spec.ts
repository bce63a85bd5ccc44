import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { redeemTicket, signInWithGoogle } from '@millrace/contracts/auth/google';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import { CookieJar } from '@millrace/testkit/cookie-jar';
import { freePort } from '@millrace/testkit/free-port';
import { gatewaySystem, ME, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';
import { openIdServer, type OpenIdServer } from '../testing/openid-server.js';

const ADA = { sub: 'google-1', email: 'Ada@Example.org', email_verified: true, name: 'Ada' };

let system: GatewaySystem;
let provider: OpenIdServer;
let url: string;
/** The sign-ins that auth received. */
let signIns: unknown[];

beforeAll(async () => {
  system = await gatewaySystem(start);
  const port = await freePort();
  provider = await openIdServer(`http://127.0.0.1:${port}/api/auth/google/callback`);
  url = await system.start({
    PORT: String(port),
    GOOGLE_CLIENT_ID: provider.clientId,
    GOOGLE_CLIENT_SECRET: provider.clientSecret,
    GOOGLE_ISSUER: provider.issuer,
  });
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

const problemOf = async (response: Response) =>
  /role="alert"[^>]*>([^<]*)</.exec(await response.text())?.[1] ?? 'no problem';

describe('sign-in with Google', () => {
  it('returns with a ticket for the user whom the provider identified', async () => {
    const browser = new CookieJar();
    const back = await browser.fetch(await followToCallback(browser));
    expect([back.status, back.headers.get('location')]).toEqual([302, '/signed-in?ticket=a-ticket']);
    expect(back.headers.get('cache-control')).toBe('no-store');
    expect(signIns).toEqual([{ subject: 'google-1', email: 'ada@example.org', name: 'Ada' }]);
  });

  it.each([
    ['/device?user_code=BCDF-GHJK', '/device?user_code=BCDF-GHJK&ticket=a-ticket'],
    ['https://evil.example/', '/signed-in?ticket=a-ticket'],
    ['//evil.example/', '/signed-in?ticket=a-ticket'],
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
    const secure = await system.start({
      PUBLIC_URL: 'https://millrace.example.org',
      GOOGLE_CLIENT_ID: provider.clientId,
      GOOGLE_CLIENT_SECRET: provider.clientSecret,
      GOOGLE_ISSUER: provider.issuer,
    });
    const response = await new CookieJar().fetch(`${secure}/api/auth/google`);
    expect(response.headers.getSetCookie()[0]).toContain('; Secure');
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.searchParams.get('redirect_uri')).toBe('https://millrace.example.org/api/auth/google/callback');
  });
});

describe('sign-in with Google is refused', () => {
  /** @returns the status and the error on the page */
  const refused = async (response: Response) => {
    expect(signIns).toEqual([]);
    return [response.status, await problemOf(response)];
  };

  it('if the user denies it at the provider', async () => {
    provider.user = null;
    const browser = new CookieJar();
    expect(await refused(await browser.fetch(await followToCallback(browser)))).toEqual([
      400,
      'Google did not sign you in. Start the sign-in again.',
    ]);
  });

  it('if the email address is not verified', async () => {
    provider.user = { ...ADA, email_verified: false };
    const browser = new CookieJar();
    const response = await refused(await browser.fetch(await followToCallback(browser)));
    expect(response).toEqual([
      403,
      'Google has not verified your email address. Verify it in your Google account and sign in again.',
    ]);
  });

  it('if the state is not that of the attempt', async () => {
    const browser = new CookieJar();
    const back = new URL(await followToCallback(browser));
    back.searchParams.set('state', 'forged');
    expect((await refused(await browser.fetch(back.href)))[0]).toBe(400);
  });

  it('if the response belongs to another browser’s attempt', async () => {
    const [theirs, mine] = [new CookieJar(), new CookieJar()];
    const back = await followToCallback(theirs);
    await followToCallback(mine);
    expect((await refused(await mine.fetch(back)))[0]).toBe(400);
    expect((await refused(await new CookieJar().fetch(back)))[0]).toBe(400);
  });

  it('if the cookie is forged', async () => {
    const browser = new CookieJar();
    const back = await followToCallback(browser);
    const headers = { cookie: `millrace_google=${Buffer.from('{"state":"x"}').toString('base64url')}` };
    expect((await refused(await fetch(back, { headers, redirect: 'manual' })))[0]).toBe(400);
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
    expect((await refused(await fetch(next, { headers: { cookie }, redirect: 'manual' })))[0]).toBe(400);
  });

  it('if auth refuses the user, and the page shows the reason', async () => {
    system.auth.on(signInWithGoogle, () =>
      Promise.reject(new ForbiddenError('This email has an account with a password.')),
    );
    const browser = new CookieJar();
    const response = await refused(await browser.fetch(await followToCallback(browser)));
    expect(response).toEqual([403, 'This email has an account with a password.']);
  });
});

it('the device page accepts the ticket, and requests a code if none was sent', async () => {
  system.auth.on(redeemTicket, ({ body }) => {
    expect(body).toEqual({ ticket: 'a-ticket' });
    return { access: 'a.b.c', refresh: 'r', expiresAt: '2030-01-01T00:00:00.000Z', user: ME };
  });
  const offered = await (await fetch(`${url}/device?user_code=BCDF-GHJK`)).text();
  expect(offered).toContain('href="/api/auth/google?return_to=%2Fdevice%3Fuser_code%3DBCDF-GHJK"');
  const page = await (await fetch(`${url}/device?ticket=a-ticket`)).text();
  expect(page).toContain(`Signed in as ${ME.email}`);
  expect(page).not.toContain('type="password"');
});

it('an outage of the provider fails only the sign-in', async () => {
  const gatewayUrl = await system.start({
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_CLIENT_SECRET: 'y',
    GOOGLE_ISSUER: 'http://127.0.0.1:1',
  });
  expect((await fetch(`${gatewayUrl}/health/live`)).status).toBe(200);
  const response = await fetch(`${gatewayUrl}/api/auth/google`, { redirect: 'manual' });
  expect([response.status, await problemOf(response)]).toEqual([503, expect.stringContaining('Try again')]);
});

it('sign-in with Google does not exist if it is not configured', async () => {
  const plain = await system.start();
  expect((await fetch(`${plain}/api/auth/google`)).status).toBe(404);
  expect(await (await fetch(`${plain}/device`)).text()).not.toContain('Google');
});
