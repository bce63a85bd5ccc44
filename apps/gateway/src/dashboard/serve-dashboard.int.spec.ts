import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { HttpErrorFilter } from '../http/http-error.filter.js';
import { start } from '../start.js';
import { getRaw } from '../testing/get-raw.js';
import { dashboardFolder, serveDashboard } from './serve-dashboard.js';

const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'";

let system: GatewaySystem;
let url: string;
/** A script of the app that is large enough to be compressed. */
let script: string;

beforeAll(async () => {
  system = await gatewaySystem(start);
  url = await system.start();
  const assets = await readdir(join(dashboardFolder(), 'assets'));
  script = `/assets/${assets.find((name) => assets.includes(`${name}.br`) && name.endsWith('.js'))}`;
});
afterAll(() => system.close());

const pick = (headers: Headers, ...names: string[]) => names.map((name) => headers.get(name));

describe('a page of the dashboard', () => {
  it.each([
    '/',
    '/index.html',
    '/runs/7',
    '/device?user_code=a',
    '/invitations/accept',
    '/apiary',
    '/index.html/x',
    '/no.such.file',
  ])('is the app: %s', async (path) => {
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(200);
    expect(pick(response.headers, 'content-type', 'cache-control', 'content-security-policy')).toEqual([
      'text/html; charset=utf-8',
      'no-cache',
      APP_POLICY,
    ]);
    expect(await response.text()).toContain('<div id="root">');
  });

  it('has the other security headers of every response', async () => {
    const { headers } = await fetch(`${url}/`);
    expect(
      pick(
        headers,
        'x-content-type-options',
        'x-frame-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
      ),
    ).toEqual(['nosniff', 'DENY', 'no-referrer', 'same-origin', 'same-origin']);
  });

  it('is not sent again to a browser that has it', async () => {
    const first = await fetch(`${url}/runs`);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${url}/tables`, { headers: { 'if-none-match': etag } });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);
  });

  it('has a HEAD response of the same length without a body', async () => {
    const [get, head] = await Promise.all([fetch(`${url}/runs`), fetch(`${url}/runs`, { method: 'HEAD' })]);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, get.headers.get('content-length')]);
  });

  it('has no other method than GET and HEAD', async () => {
    const response = await fetch(`${url}/runs`, { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }]);
  });
});

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
};

describe('an asset of the dashboard', () => {
  it('is named by the page and stored by browsers for a year', async () => {
    const page = await (await fetch(`${url}/`)).text();
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const path of paths) {
      const { status, headers } = await fetch(`${url}${path}`);
      expect([status, ...pick(headers, 'cache-control', 'content-type')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        TYPES[extname(path)],
      ]);
    }
  });

  it('is sent in the best encoding that the browser accepts', async () => {
    const plain = await getRaw(`${url}${script}`, {});
    const brotli = await getRaw(`${url}${script}`, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await getRaw(`${url}${script}`, { 'accept-encoding': 'gzip' });
    const encodings = [plain, brotli, gzip].map(({ headers }) => headers['content-encoding']);
    expect(encodings).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    for (const { headers } of [plain, brotli, gzip]) {
      expect([headers['vary'], headers['content-type']]).toEqual([
        expect.stringMatching(/accept-encoding/i),
        'application/javascript; charset=utf-8',
      ]);
    }
  });

  it('has the policy of the app, which applies in a worker too', async () => {
    const { headers } = await fetch(`${url}${script}`);
    expect(headers.get('content-security-policy')).toBe(APP_POLICY);
  });

  it.each(['/assets/index-gone.js', '/assets/', '/assets/../index.html', '/assets//x.js', '/assets/%2e%2e/index.html'])(
    'that does not exist is a 404 in JSON: %s',
    async (path) => {
      const { status, body, headers } = await getRaw(url, {}, path);
      expect([status, headers['content-type'], JSON.parse(body.toString())]).toEqual([
        404,
        'application/json; charset=utf-8',
        { code: 'not_found', message: expect.any(String) },
      ]);
      expect(headers['cache-control'] ?? '').not.toContain('immutable');
    },
  );
});

it('a file beside the page is served as it is, and checked for changes each time', async () => {
  const response = await fetch(`${url}/icon.svg`);
  expect([response.status, ...pick(response.headers, 'content-type', 'cache-control')]).toEqual([
    200,
    'image/svg+xml',
    'no-cache',
  ]);
  expect(response.headers.get('etag')).not.toBeNull();
});

it.each(['/api', '/api/', '/api/nowhere', '/api/runs/1/nowhere', '/health', '/health/nowhere', '/mcp/nowhere'])(
  'an unknown path for programs stays a 404 in JSON: %s',
  async (path) => {
    const response = await fetch(`${url}${path}`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 'not_found', message: 'No operation has this path and method. GET /api/docs lists all of them.' },
    ]);
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
  },
);

it('the files of the dashboard count for no rate limit', async () => {
  const limited = await system.start({ RATE_LIMIT_PER_MINUTE: '6' });
  for (const path of ['/', script, '/icon.svg', '/', script]) {
    const response = await fetch(`${limited}${path}`);
    expect([path, response.status, response.headers.get('ratelimit-limit')]).toEqual([path, 200, null]);
  }
});

it('a gateway without a built dashboard starts and serves everything else', async () => {
  const fastify = Fastify();
  fastify.get('/api/spaces', () => []);
  await serveDashboard(fastify, new HttpErrorFilter(), join(dashboardFolder(), 'nowhere'));
  const [page, api] = [await fastify.inject('/'), await fastify.inject('/api/spaces')];
  expect([page.statusCode, api.statusCode]).toEqual([404, 200]);
  await fastify.close();
});
