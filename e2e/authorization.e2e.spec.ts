import { beforeAll, describe, expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import { users } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { rawRequest, signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
let apiToken: string;
beforeAll(async () => {
  account = await signUp();
  apiToken = (await account.client.call(users.regenerateToken)).token;
});

const fetchMe = (authorization: string | null) =>
  fetch(`${systemUrl()}/api/users/me`, { headers: authorization === null ? {} : { authorization } });

describe('the Authorization header', () => {
  it('accepts a session JWT as Bearer and an API token as Token', async () => {
    expect(apiToken).toMatch(/^[^.]{40}$/);
    expect((await fetchMe(`Bearer ${account.access}`)).status).toBe(200);
    expect((await fetchMe(`Token ${apiToken}`)).status).toBe(200);
  });

  it.each<[string, () => string | null]>([
    ['is missing', () => null],
    ['is empty', () => ''],
    ['has no scheme', () => apiToken],
    ['gives a JWT as Token', () => `Token ${account.access}`],
    ['gives an API token as Bearer', () => `Bearer ${apiToken}`],
    ['has another scheme', () => `Basic ${apiToken}`],
    ['gives an unknown token', () => `Token ${'x'.repeat(40)}`],
    ['gives a JWT that was changed', () => `Bearer ${account.access.slice(0, -4)}AAAA`],
    ['gives a JWT without a signature', () => `Bearer ${account.access.split('.').slice(0, 2).join('.')}.`],
    ['gives no token', () => 'Token '],
    ['gives two tokens', () => `Token ${apiToken} ${apiToken}`],
  ])('that %s is rejected with 401', async (_, header) => {
    const response = await fetchMe(header());
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unauthenticated', message: expect.any(String) });
  });

  it('with a replaced API token is rejected soon after the replacement', async () => {
    const other = await signUp();
    const replaced = (await other.client.call(users.regenerateToken)).token;
    expect((await fetchMe(`Token ${replaced}`)).status).toBe(200);
    await other.client.call(users.regenerateToken);
    await eventually(async () => expect((await fetchMe(`Token ${replaced}`)).status).toBe(401));
  });
});

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { responses: Record<string, unknown>; security?: unknown[] }>>;
}

it('the OpenAPI description lists every operation with its responses', async () => {
  const response = await fetch(`${systemUrl()}/api/openapi.json`);
  const { openapi, paths } = (await response.json()) as Document;
  expect(openapi).toMatch(/^3\.1/);
  for (const { name, method, path, status, access } of restOperations) {
    const described = Object.entries(paths).find(([at]) => at.replace(/^\/api/, '') === path)?.[1][
      method.toLowerCase()
    ];
    expect({ name, responses: Object.keys(described?.responses ?? {}) }).toEqual({
      name,
      responses: expect.arrayContaining([String(status), '400', '500', ...(access.kind === 'public' ? [] : ['401'])]),
    });
  }
});

it('a request to an unknown path gets 404 with a code and a message', async () => {
  const { status, body } = await rawRequest(account, 'GET', '/api/nowhere');
  expect({ status, ...body }).toMatchObject({ status: 404, code: 'not_found', message: expect.any(String) });
});
