import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '@millrace/client';
import { sessions, spaces } from '@millrace/contracts/resources';
import { checkedFetch } from './checked-fetch.js';

/** URL of the system under test, which `npm test` starts. */
export function systemUrl(): string {
  const url = process.env.TEST_BASE_URL;
  if (!url) throw new Error('Set TEST_BASE_URL to a running system, or run: npm test e2e');
  return url;
}

export interface Account {
  url: string;
  client: MillraceClient;
  email: string;
  password: string;
  user: string;
  access: string;
  refresh: string;
  /** Id of the playground. */
  space: string;
}

/** Signs up a new user with a new vault. */
export async function signUp(url = systemUrl()): Promise<Account> {
  const email = `e2e-${randomUUID()}@example.org`;
  const password = `correct horse ${randomUUID()}`;
  const anonymous = new MillraceClient({ baseUrl: url, fetch: checkedFetch });
  const session = await anonymous.call(sessions.signup, { body: { email, password, name: 'E2E' } });
  const client = new MillraceClient({ baseUrl: url, token: session.access, fetch: checkedFetch });
  const space = await firstSpace(client);
  const { access, refresh } = session;
  return { url, client, email, password, user: session.user.id, access, refresh, space };
}

/** Waits for the playground, which is created shortly after the account. */
async function firstSpace(client: MillraceClient): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 100) {
    const { results } = await client.call(spaces.listSpaces);
    if (results[0]) return results[0].id;
    await sleep(100);
  }
  throw new Error('The new vault has no space after 10 s');
}

/** Sends a request unmodified, without the checks and retries of a client. */
export async function rawRequest(
  account: Pick<Account, 'url' | 'access'>,
  method: string,
  path: string,
  init: { body?: BodyInit; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${account.access}`, ...init.headers };
  const response = await checkedFetch(`${account.url}${path}`, {
    method,
    headers: init.body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(init.body !== undefined && { body: init.body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}
