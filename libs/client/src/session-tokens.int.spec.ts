import { afterEach, describe, expect, it } from '@jest/globals';
import { users } from '@millrace/contracts/resources';
import { json, serve } from '@millrace/testkit/serve';
import { MillraceClient } from './client.js';
import { SessionTokens, sessionInMemory } from './session-tokens.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A server that accepts only the newest access token, and each refresh token once. */
async function startWith(expiresInMs: number) {
  let generation = 1;
  let refreshes = 0;
  const session = () => ({
    access: `a.${generation}`,
    refresh: `r${generation}`,
    expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
  });
  const first = session();
  const server = await serve((request, response) => {
    if (request.url === '/api/auth/token-refresh') {
      refreshes += 1;
      if ((JSON.parse(request.body) as { refresh: string }).refresh !== `r${generation}`) {
        return json(response, 400, { code: 'expired_token', message: 'ended' });
      }
      generation += 1;
      expiresInMs = 900_000;
      return json(response, 200, session());
    }
    const isValid = request.headers.authorization === `Bearer a.${generation}`;
    return isValid ? json(response, 200, { id: 'me' }) : json(response, 401, { code: 'token_expired', message: 'no' });
  });
  open.push(server);
  const store = sessionInMemory(first);
  const client = new MillraceClient({
    baseUrl: server.url,
    token: new SessionTokens(store, { baseUrl: server.url }),
  });
  const end = () => (generation += 1);
  return { client, store, end, url: server.url, refreshes: () => refreshes };
}

describe('a session', () => {
  it('is renewed before its end, once for all calls that need it', async () => {
    const { client, store, refreshes } = await startWith(1_000);
    const responses = await Promise.all([1, 2, 3].map(() => client.call(users.getMe)));
    expect(responses.map(({ id }) => id)).toEqual(['me', 'me', 'me']);
    expect(refreshes()).toBe(1);
    expect(await store.read()).toMatchObject({ access: 'a.2', refresh: 'r2' });
  });

  it('is not deleted if a server other than Millrace refuses to renew it', async () => {
    const server = await serve((_, response) => response.writeHead(404).end('no such page'));
    open.push(server);
    const session = { access: 'a.1', refresh: 'r1', expiresAt: '2020-01-01T00:00:00.000Z' };
    const store = sessionInMemory(session);
    const tokens = new SessionTokens(store, { baseUrl: server.url });
    await expect(tokens.current()).rejects.toMatchObject({ status: 404, isForeign: true });
    expect(await store.read()).toEqual(session);
  });

  it('is not deleted if another client renewed it at the same time', async () => {
    const renewed = { access: 'a.2', refresh: 'r2', expiresAt: '2040-01-01T00:00:00.000Z' };
    const store = sessionInMemory({ access: 'a.1', refresh: 'r1', expiresAt: '2020-01-01T00:00:00.000Z' });
    const server = await serve((_, response) => {
      void store.write(renewed).then(() => json(response, 400, { code: 'expired_token', message: 'ended' }));
    });
    open.push(server);
    expect(await new SessionTokens(store, { baseUrl: server.url }).current()).toBe('a.2');
    expect(await store.read()).toEqual(renewed);
  });

  it('is renewed once by two clients that share it in memory', async () => {
    const { store, url, refreshes } = await startWith(1_000);
    const tokens = [1, 2].map(() => new SessionTokens(store, { baseUrl: url }));
    expect(await Promise.all(tokens.map((one) => one.current()))).toEqual(['a.2', 'a.2']);
    expect(refreshes()).toBe(1);
  });

  it('is deleted after it has ended, and the call fails', async () => {
    const { client, store, end } = await startWith(900_000);
    end();
    await expect(client.call(users.getMe)).rejects.toMatchObject({ status: 401, code: 'token_expired' });
    expect(await store.read()).toBeNull();
  });
});
