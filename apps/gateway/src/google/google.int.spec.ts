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
/** What auth was told of who signed in. */
let told: unknown[];

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
  told = [];
  provider.user = ADA;
  system.auth.on(signInWithGoogle, ({ body }) => {
    told.push(body);
    return { ticket: 'a-ticket' };
  });
});

/** Goes from the link to the provider and on until the browser is sent back here. @returns the address it is sent to */
async function goThere(browser: CookieJar, query = ''): Promise<string> {
  let next = `${url}/api/auth/google${query}`;
  for (let step = 0; step < 10; step += 1) {
    const response = await browser.fetch(next);
    next = new URL(response.headers.get('location') ?? '', next).href;
    if (next.startsWith(`${url}/api/auth/google/callback`)) return next;
  }
  throw new Error(`Never came back; last sent to ${next}`);
}

const problemOf = async (response: Response) =>
  /role="alert"[^>]*>([^<]*)</.exec(await response.text())?.[1] ?? 'no problem';

describe('sign-in with Google', () => {
  it('comes back with a ticket for whom the provider vouches for', async () => {
    const browser = new CookieJar();
    const back = await browser.fetch(await goThere(browser));
    expect([back.status, back.headers.get('location')]).toEqual([302, '/signed-in?ticket=a-ticket']);
    expect(back.headers.get('cache-control')).toBe('no-store');
    expect(told).toEqual([{ subject: 'google-1', email: 'ada@example.org', name: 'Ada' }]);
  });

  it.each([
    ['/device?user_code=BCDF-GHJK', '/device?user_code=BCDF-GHJK&ticket=a-ticket'],
    ['https://evil.example/', '/signed-in?ticket=a-ticket'],
    ['//evil.example/', '/signed-in?ticket=a-ticket'],
  ])('asked to return to %s goes to %s', async (wanted, location) => {
    const browser = new CookieJar();
    const query = `?${new URLSearchParams({ return_to: wanted }).toString()}`;
    const back = await browser.fetch(await goThere(browser, query));
    expect(back.headers.get('location')).toBe(location);
  });

  it('goes off with PKCE, state and nonce, and a cookie that no script and no other path sees', async () => {
    const response = await new CookieJar().fetch(`${url}/api/auth/google`);
    const there = new URL(response.headers.get('location') ?? '');
    expect(there.origin).toBe(provider.issuer);
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      state: expect.any(String),
      nonce: expect.any(String),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^millrace_google=[\w-]+; Max-Age=600; Path=\/api\/auth\/google; HttpOnly; SameSite=Lax$/);
    for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(there.searchParams.get(secret));
  });

  it('behind TLS sends its cookie over TLS alone', async () => {
    const secure = await system.start({
      PUBLIC_URL: 'https://millrace.example.org',
      GOOGLE_CLIENT_ID: provider.clientId,
      GOOGLE_CLIENT_SECRET: provider.clientSecret,
      GOOGLE_ISSUER: provider.issuer,
    });
    const response = await new CookieJar().fetch(`${secure}/api/auth/google`);
    expect(response.headers.getSetCookie()[0]).toContain('; Secure');
    const there = new URL(response.headers.get('location') ?? '');
    expect(there.searchParams.get('redirect_uri')).toBe('https://millrace.example.org/api/auth/google/callback');
  });
});

describe('nobody is signed in', () => {
  /** @returns status and what the page says */
  const refused = async (response: Response) => {
    expect(told).toEqual([]);
    return [response.status, await problemOf(response)];
  };

  it('who says no at the provider', async () => {
    provider.user = null;
    const browser = new CookieJar();
    expect(await refused(await browser.fetch(await goThere(browser)))).toEqual([400, 'Google did not sign you in.']);
  });

  it('whose email is not verified', async () => {
    provider.user = { ...ADA, email_verified: false };
    const browser = new CookieJar();
    const answer = await refused(await browser.fetch(await goThere(browser)));
    expect(answer).toEqual([403, 'Google has not verified your email address.']);
  });

  it('by a state that is not that of the attempt', async () => {
    const browser = new CookieJar();
    const back = new URL(await goThere(browser));
    back.searchParams.set('state', 'forged');
    expect((await refused(await browser.fetch(back.href)))[0]).toBe(400);
  });

  it('by an answer to somebody else’s attempt', async () => {
    const [theirs, mine] = [new CookieJar(), new CookieJar()];
    const back = await goThere(theirs);
    await goThere(mine);
    expect((await refused(await mine.fetch(back)))[0]).toBe(400);
    expect((await refused(await new CookieJar().fetch(back)))[0]).toBe(400);
  });

  it('by a cookie that was made up', async () => {
    const browser = new CookieJar();
    const back = await goThere(browser);
    const headers = { cookie: `millrace_google=${Buffer.from('{"state":"x"}').toString('base64url')}` };
    expect((await refused(await fetch(back, { headers, redirect: 'manual' })))[0]).toBe(400);
  });

  it('by the same answer twice, even with the cookie kept', async () => {
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
    told = [];
    expect((await refused(await fetch(next, { headers: { cookie }, redirect: 'manual' })))[0]).toBe(400);
  });

  it('whom auth does not let in, and the page says why', async () => {
    system.auth.on(signInWithGoogle, () =>
      Promise.reject(new ForbiddenError('This email has an account with a password')),
    );
    const browser = new CookieJar();
    const answer = await refused(await browser.fetch(await goThere(browser)));
    expect(answer).toEqual([403, 'This email has an account with a password.']);
  });
});

it('the device page takes the ticket, and asks for a code where none came along', async () => {
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

it('a provider that is away keeps the gateway from nothing but this', async () => {
  const away = await system.start({
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_CLIENT_SECRET: 'y',
    GOOGLE_ISSUER: 'http://127.0.0.1:1',
  });
  expect((await fetch(`${away}/health/live`)).status).toBe(200);
  const response = await fetch(`${away}/api/auth/google`, { redirect: 'manual' });
  expect([response.status, await problemOf(response)]).toEqual([503, expect.stringContaining('Try again')]);
});

it('is not there where it is not set up', async () => {
  const plain = await system.start();
  expect((await fetch(`${plain}/api/auth/google`)).status).toBe(404);
  expect(await (await fetch(`${plain}/device`)).text()).not.toContain('Google');
});
