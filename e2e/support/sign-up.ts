import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '@millrace/sdk/client';
import { sessions, spaces } from '@millrace/sdk/resources';
import { attentiveFetch } from './attentive-fetch.js';

/** Where the system under test is; `npm test` starts one and says so. */
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

/** A new user with a vault of their own. */
export async function signUp(url = systemUrl()): Promise<Account> {
  const email = `e2e-${randomUUID()}@example.org`;
  const password = `correct horse ${randomUUID()}`;
  const anonymous = new MillraceClient({ baseUrl: url, fetch: attentiveFetch });
  const made = await anonymous.call(sessions.signup, { body: { email, password, name: 'E2E' } });
  const client = new MillraceClient({ baseUrl: url, token: made.access, fetch: attentiveFetch });
  const space = await firstSpace(client);
  const { access, refresh } = made;
  return { url, client, email, password, user: made.user.id, access, refresh, space };
}

/** The playground is made a moment after the account. */
async function firstSpace(client: MillraceClient): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 100) {
    const { results } = await client.call(spaces.listSpaces);
    if (results[0]) return results[0].id;
    await sleep(100);
  }
  throw new Error('The new vault got no space within 10 s');
}

/** Sends a request as it is, without what a client would put right. */
export async function rawRequest(
  account: Pick<Account, 'url' | 'access'>,
  method: string,
  path: string,
  init: { body?: BodyInit; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${account.access}`, ...init.headers };
  const response = await attentiveFetch(`${account.url}${path}`, {
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
