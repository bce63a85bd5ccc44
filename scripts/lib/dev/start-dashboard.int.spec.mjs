import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataLayout, ROOT } from '../layout.mjs';
import { Supervisor } from '../process/supervisor.mjs';
import { prepareDataDir } from '../system/prepare-data-dir.mjs';
import { startDashboard } from './start-dashboard.mjs';

const layout = dataLayout(mkdtempSync(join(tmpdir(), 'dashboard-')));
/** Responds with the headers of the request. */
const gateway = createServer(({ url, headers }, response) => response.end(JSON.stringify({ ...headers, url })));
/** @type {Supervisor} */
let supervisor;
/** @type {string} */
let address;
/** @type {string} */
let gatewayHost;

beforeAll(async () => {
  await new Promise((resolve) => gateway.listen(0, '127.0.0.1', () => resolve(undefined)));
  gatewayHost = `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (gateway.address()).port}`;
  prepareDataDir(layout);
  supervisor = new Supervisor(layout, 'test');
  const options = { root: ROOT, node: process.execPath, env: process.env, supervisor };
  address = await startDashboard({
    ...options,
    gateway: `http://${gatewayHost}`,
    signal: AbortSignal.timeout(60_000),
  });
});

afterAll(async () => {
  await supervisor.stop(supervisor.names());
  supervisor.close();
  gateway.close();
  rmSync(layout.dir, { recursive: true, force: true });
});

/**
 * Unlike fetch, sends any Host.
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{ status: number | undefined, text: string }>}
 */
const get = (path, headers = {}) =>
  new Promise((resolve, reject) => {
    request(`${address}${path}`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });

const pass = async (/** @type {Record<string, string>} */ headers) => JSON.parse((await get('/api/me', headers)).text);

describe('the development server of the dashboard', () => {
  it('serves the sources with hot reload', async () => {
    expect((await get('/')).text).toContain('/@vite/client');
    expect((await get('/workflows/1')).text).toContain('/@vite/client');
  });

  it('passes requests of the API and health checks to the gateway, with its Host', async () => {
    expect(await pass({})).toMatchObject({ url: '/api/me', host: gatewayHost });
    expect(JSON.parse((await get('/health/ready')).text)).toMatchObject({ url: '/health/ready', host: gatewayHost });
  });

  it('replaces its own Origin by that of the gateway', async () => {
    expect(await pass({ origin: address })).toMatchObject({ origin: `http://${gatewayHost}` });
  });

  it.each(['https://attacker.example.org', 'http://127.0.0.1:1', 'null'])(
    'passes the Origin %s unchanged, so that the gateway refuses it',
    async (origin) => {
      expect(await pass({ origin })).toMatchObject({ origin });
    },
  );

  it('refuses the name of another domain, which a page may resolve to this machine', async () => {
    const host = `attacker.example.org:${new URL(address).port}`;
    expect(await get('/api/me', { host, origin: `http://${host}` })).toMatchObject({ status: 403 });
  });

  it('is in the state of the system with its address', () => {
    expect(supervisor.get('dashboard')?.pid).toBeGreaterThan(0);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:5[12]\d\d$/);
  });
});
