import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '@millrace/testkit/free-port';
import { HealthServer } from './health-server.js';

let server: HealthServer;
let base: string;
beforeEach(async () => {
  server = new HealthServer();
  const port = await freePort();
  await server.listen(port);
  base = `http://127.0.0.1:${port}`;
});
afterEach(() => server.close());

async function get(path: string, init?: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(base + path, init);
  return { status: response.status, text: await response.text() };
}
const statuses = async () =>
  Promise.all(['live', 'startup', 'ready'].map(async (probe) => (await get(`/health/${probe}`)).status));

it('a process is live at once, started when all services are, and not ready while one of them drains', async () => {
  expect(await statuses()).toEqual([200, 503, 503]);
  const [auth, runs] = [server.add('auth'), server.add('runs')];
  auth.setReady({ checks: {} });
  expect(await statuses()).toEqual([200, 503, 503]);
  runs.setReady({ checks: {} });
  expect(await statuses()).toEqual([200, 200, 200]);
  runs.setDraining();
  expect(await statuses()).toEqual([200, 200, 503]);
  expect((await get('/health/ready')).text).toMatch(/"status":"draining"/);
});

it('readiness names the dependency that fails, and recovers with it', async () => {
  let failure: Error | null = new Error('connection refused');
  server.add('auth').setReady({ checks: { postgres: () => (failure ? Promise.reject(failure) : Promise.resolve()) } });
  expect(await get('/health/ready')).toEqual({
    status: 503,
    text: expect.stringMatching(/"auth":.*"postgres":"connection refused"/),
  });
  expect((await get('/health/live')).status).toBe(200);
  failure = null;
  expect((await get('/health/ready')).status).toBe(200);
});

it('the health port serves added routes, and rejects other paths and methods with the reason', async () => {
  server.addRoute('/scaling/', (path) => ({ status: 200, body: { path } }));
  server.addRoute('/broken', () => Promise.reject(new Error('Redis is away')));
  expect(JSON.parse((await get('/scaling/fleets/default?x=1')).text)).toEqual({ path: '/scaling/fleets/default' });
  expect(await get('/broken')).toEqual({ status: 503, text: expect.stringMatching(/Redis is away/) });
  expect(await get('/nothing')).toEqual({ status: 404, text: expect.stringMatching(/serves .*\/health\/ready/) });
  expect((await get('/health/live', { method: 'POST' })).status).toBe(405);
});
