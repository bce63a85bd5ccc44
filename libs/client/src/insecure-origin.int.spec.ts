import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { datasets, users } from '@millrace/contracts/resources';
import { json, serve, type ReceivedRequest } from '@millrace/testkit/serve';
import { MillraceClient } from './client.js';
import { sessionInBrowser } from './session-in-browser.js';
import { SessionTokens } from './session-tokens.js';
import { storageInMemory } from './testing/storage-in-memory.js';

/** Properties that a browser does not have on plain HTTP at a LAN address. */
const MISSING_PROPERTIES: [target: object, name: string][] = [
  [globalThis, 'navigator'],
  [crypto, 'randomUUID'],
  [crypto, 'subtle'],
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

const restore: (() => void)[] = [];
beforeAll(() => {
  for (const [target, name] of MISSING_PROPERTIES) {
    Object.defineProperty(target, name, { value: undefined, configurable: true });
    restore.push(() => Reflect.deleteProperty(target, name));
  }
});
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const step of restore) step();
  for (const server of open) await server.close();
});

async function startServer(...args: Parameters<typeof serve>) {
  const server = await serve(...args);
  open.push(server);
  return server;
}

const keysOf = (received: ReceivedRequest[]) => received.map(({ headers }) => headers['idempotency-key']);

it('on an insecure origin, each POST has a different idempotency key', async () => {
  const { url, received } = await startServer((_, response) => json(response, 200, {}));
  const client = new MillraceClient({ baseUrl: url });
  for (const name of ['a', 'b']) await client.call(datasets.createDataset, { body: { name, solution: '1' } });
  expect(keysOf(received)).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
  expect(new Set(keysOf(received)).size).toBe(2);
});

it('on an insecure origin, the client uploads a file and adds rows', async () => {
  const { url, received } = await startServer((_, response) => json(response, 200, {}));
  const client = new MillraceClient({ baseUrl: url });
  await client.files.upload('a.txt', new Blob(['hello']));
  await client.rows.append('1', '{}', { format: 'ndjson' });
  expect(received[0]?.body).toContain('hello');
  expect(received[0]?.headers['content-type']).toMatch(UUID);
  expect(keysOf(received)[1]).toMatch(UUID);
});

it('on an insecure origin, two pages that share a session renew it once', async () => {
  let refreshes = 0;
  const fresh = { access: 'a.2', refresh: 'r2', expiresAt: new Date(Date.now() + 900_000).toISOString() };
  const { url } = await startServer((request, response) => {
    if (request.url !== '/api/auth/token-refresh') return json(response, 200, { id: request.headers.authorization });
    refreshes += 1;
    return json(response, 200, fresh);
  });
  const storage = storageInMemory();
  const openPage = () => {
    const store = sessionInBrowser('session', storage);
    const client = new MillraceClient({ baseUrl: url, token: new SessionTokens(store, { baseUrl: url }) });
    return { client, store };
  };
  const [first, second] = [openPage(), openPage()];
  await first.store.write({ access: 'a.1', refresh: 'r1', expiresAt: '2020-01-01T00:00:00.000Z' });
  const calls = [first, first, second].map(({ client }) => client.call(users.getMe));
  expect((await Promise.all(calls)).map(({ id }) => id)).toEqual(['Bearer a.2', 'Bearer a.2', 'Bearer a.2']);
  expect(refreshes).toBe(1);
  expect(await second.store.read()).toEqual(fresh);
});
