import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { endOtherSessions } from '@millrace/contracts/auth/sessions';
import { eventually } from '@millrace/testkit/eventually';
import { readSetCookies, toCookieHeader } from '@millrace/testkit/read-set-cookies';
import { expiredAccess } from './support/expired-access.js';
import { recordSecret } from './support/record-secret.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

/** A browser with one tab: it stores the cookies of each response, and its requests come from a page of the system. */
class Browser {
  cookies = new Map<string, string>();

  async fetch(path: string, { method = 'GET', body, headers = {} }: BrowserRequest = {}): Promise<Response> {
    const response = await fetch(`${systemUrl()}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'GET' ? { 'sec-fetch-site': 'same-origin' } : { origin: systemUrl() }),
        ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.store(response.headers);
    return response;
  }

  store(headers: Headers): void {
    for (const [name, { value }] of readSetCookies(headers)) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, recordSecret(value));
    }
  }

  get cookieHeader(): string {
    return toCookieHeader(new Map([...this.cookies].map(([name, value]) => [name, { value, attributes: [] }])));
  }

  /** The tokens in the cookies, which a script of a page does not see. */
  get tokens(): { access: string; refresh: string } {
    const valueOf = (token: string) => [...this.cookies].find(([name]) => name.includes(`_${token}_`))?.[1] ?? '';
    return { access: valueOf('access'), refresh: valueOf('refresh') };
  }

  async expireAccess(): Promise<void> {
    const access = recordSecret(await expiredAccess(this.tokens));
    for (const name of this.cookies.keys()) if (name.includes('_access_')) this.cookies.set(name, access);
  }
}

interface BrowserRequest {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

const HEADER = { 'x-millrace-session': 'cookie' };

async function signIn({ email, password }: Pick<Account, 'email' | 'password'>, browser = new Browser()) {
  const body = { email, password };
  const response = await browser.fetch('/api/auth/login', { method: 'POST', body, headers: HEADER });
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['user']]);
  return browser;
}

const emailOf = async (browser: Browser) => {
  const response = await browser.fetch('/api/users/me');
  return response.status === 200 ? ((await response.json()) as { email: string }).email : response.status;
};

describe('a browser that signs in', () => {
  it('is signed in by cookies, and changes things from pages of the system only', async () => {
    const account = await signUp();
    const browser = await signIn(account);
    expect(await emailOf(browser)).toBe(account.email);
    const create = (headers: Record<string, string>) =>
      browser.fetch('/api/spaces', { method: 'POST', body: { name: 'Mine' }, headers });
    expect((await create({})).status).toBe(201);
    const port = String(Number(new URL(systemUrl()).port) + 1);
    for (const origin of ['https://evil.example.org', systemUrl().replace(/:\d+$/, `:${port}`), 'null', '']) {
      expect([origin, (await create({ origin })).status]).toEqual([origin, 403]);
    }
  });

  it('by signing up is signed in by cookies too', async () => {
    const browser = new Browser();
    const email = `e2e-${randomUUID()}@example.org`;
    const body = { email, password: recordSecret(`correct horse ${randomUUID()}`), name: 'E2E' };
    const response = await browser.fetch('/api/auth/signup', { method: 'POST', body, headers: HEADER });
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([201, ['user']]);
    expect(await emailOf(browser)).toBe(email);
  });

  it('with another account replaces the cookies', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const browser = await signIn(second, await signIn(first));
    expect([browser.cookies.size, await emailOf(browser)]).toEqual([2, second.email]);
  });

  it('renews the session once if ten requests at the same time have an expired token', async () => {
    const account = await signUp();
    const browser = await signIn(account);
    await browser.expireAccess();
    const before = browser.tokens;
    const cookie = browser.cookieHeader;
    const request = () => fetch(`${systemUrl()}/api/users/me`, { headers: { cookie } });
    const responses = await Promise.all(Array.from({ length: 10 }, request));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map(({ headers }) => headers.getSetCookie().join())).size).toBe(1);
    // A response that got lost: the browser still has the former cookies.
    const late = await request();
    expect([late.status, late.headers.getSetCookie()]).toEqual([200, responses[0]!.headers.getSetCookie()]);
    browser.store(late.headers);
    expect(browser.tokens.refresh).not.toBe(before.refresh);
    expect(await emailOf(browser)).toBe(account.email);
  });

  it('follows a stream and downloads a file by a link, with an expired token', async () => {
    const account = await signUp();
    const browser = await signIn(account);
    await browser.expireAccess();
    const request = get(`${systemUrl()}/api/notifications/stream`, { headers: { cookie: browser.cookieHeader } });
    const [stream] = (await once(request, 'response')) as [IncomingMessage];
    const headers = new Headers((stream.headers['set-cookie'] ?? []).map((line) => ['set-cookie', line]));
    browser.store(headers);
    expect([stream.statusCode, readSetCookies(headers).size, await emailOf(browser)]).toEqual([200, 2, account.email]);
    stream.destroy();

    const form = new FormData();
    form.set('path', 'mine/a.txt');
    form.set('file', new Blob(['content']), 'a.txt');
    const cookie = { cookie: browser.cookieHeader, origin: systemUrl() };
    const uploaded = await fetch(`${systemUrl()}/api/storage/files`, { method: 'POST', body: form, headers: cookie });
    const { id } = (await uploaded.json()) as { id: string };
    await browser.expireAccess();
    const file = await browser.fetch(`/api/storage/files/${id}/download`, { headers: { 'sec-fetch-site': 'none' } });
    expect([file.status, file.headers.getSetCookie().length, await file.text()]).toEqual([200, 2, 'content']);
    expect(await emailOf(browser)).toBe(account.email);
  });

  it('ends its session by signing out, without naming a token', async () => {
    const account = await signUp();
    const browser = await signIn(account);
    const { access } = browser.tokens;
    const response = await browser.fetch('/api/auth/logout', { method: 'POST' });
    expect([response.status, await response.json(), browser.cookies.size]).toEqual([200, { success: true }, 0]);
    const authorization = { authorization: `Bearer ${access}` };
    await eventually(async () => {
      expect((await fetch(`${systemUrl()}/api/users/me`, { headers: authorization })).status).toBe(401);
    });
  });

  it('loses its cookies with the next request after its session was ended elsewhere', async () => {
    const account = await signUp();
    const [ended, expired] = [await signIn(account), await signIn(account)];
    await expired.expireAccess();
    await account.client.call(endOtherSessions);
    for (const browser of [ended, expired]) {
      await eventually(async () => expect([await emailOf(browser), browser.cookies.size]).toEqual([401, 0]));
    }
  });

  it('stays signed in after it has changed the password, and its other browser does not', async () => {
    const account = await signUp();
    const [browser, other] = [await signIn(account), await signIn(account)];
    const body = { current_password: account.password, password: recordSecret(`another ${account.password}`) };
    const response = await browser.fetch('/api/users/me/password', { method: 'PUT', body });
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(await emailOf(browser)).toBe(account.email);
    await eventually(async () => expect([await emailOf(other), other.cookies.size]).toEqual([401, 0]));
  });
});

it('a refresh token that was exchanged by another client ends the session', async () => {
  const account = await signUp();
  const browser = await signIn(account);
  const { refresh } = browser.tokens;
  const exchanged = await fetch(`${systemUrl()}/api/auth/token-refresh`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh }),
  });
  const { access } = (await exchanged.json()) as { access: string };
  recordSecret(access);
  await browser.expireAccess();
  await eventually(async () => expect([await emailOf(browser), browser.cookies.size]).toEqual([401, 0]));
  await eventually(async () => {
    const headers = { authorization: `Bearer ${access}` };
    expect((await fetch(`${systemUrl()}/api/users/me`, { headers })).status).toBe(401);
  });
});
