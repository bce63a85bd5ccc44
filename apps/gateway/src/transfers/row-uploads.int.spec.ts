import { hash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { admitRows, appendRows } from '@millrace/contracts/datasets/rows';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

let system: GatewaySystem;
let datasets: FakeService;
let url: string;
let appended: unknown[];

beforeAll(async () => {
  system = await gatewaySystem(start);
  url = await system.start();
  datasets = await system.fake('datasets');
});
afterAll(() => system.close());
beforeEach(() => {
  appended = [];
  datasets.on(admitRows, () => ({}));
  datasets.on(appendRows, ({ params, body }) => {
    appended.push({ ...(params as object), ...(body as object) });
    return {
      ...{
        id: '1',
        dataset: 'd',
        status: 'COMPLETED' as const,
        partial: false,
        parts: { total: 1, read: 1 },
        bytes: { total: 1, read: 1 },
      },
      ...{ rows_read: 1, rows_rejected: 0, rows_new: 1, rows_changed: 0, rows_unchanged: 0, rows_gone: 0 },
      created_date: new Date().toISOString(),
    };
  });
});

const send = (body: BodyInit | null, headers: Record<string, string>) =>
  fetch(`${url}/api/datasets/7/rows`, { method: 'POST', body, headers: { authorization: 'Token token', ...headers } });

describe('an upload of rows', () => {
  it.each([
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['text/csv', 'csv'],
  ])('as %s is stored unmodified', async (type, format) => {
    const response = await send('not even JSON', { 'content-type': type });
    expect(response.status).toBe(200);
    expect(appended).toEqual([
      { id: '7', format, encoding: 'identity', size: 13, sha256: hash('sha256', 'not even JSON', 'hex') },
    ]);
  });

  it('may be compressed', async () => {
    await send('x', { 'content-type': 'text/csv', 'content-encoding': 'zstd' });
    expect(appended).toMatchObject([{ format: 'csv', encoding: 'zstd' }]);
  });

  it.each([
    ['with an unsupported content type', 'x', { 'content-type': 'application/xml' }, 'header.Content-Type'],
    ['without a content type', new Uint8Array([1]), {}, 'header.Content-Type'],
    ['in another charset', 'x', { 'content-type': 'text/csv; charset=utf-16' }, 'header.Content-Type'],
    [
      'with an unsupported compression',
      'x',
      { 'content-type': 'text/csv', 'content-encoding': 'br' },
      'header.Content-Encoding',
    ],
    ['with an empty body', '', { 'content-type': 'text/csv' }, 'body'],
    ['without a body', null, { 'content-type': 'application/json' }, 'body'],
  ])('%s is rejected', async (_, body, headers, field) => {
    const response = await send(body, headers);
    expect(response.status).toBe(400);
    const { code, details } = (await response.json()) as { code: string; details: object };
    expect(code).toBe('validation_error');
    expect(Object.keys(details)).toEqual([field]);
    expect(appended).toEqual([]);
  });

  it('that exceeds the limit of the service is rejected with 413 while it arrives', async () => {
    datasets.on(admitRows, () => ({ max_bytes: 1_000 }));
    const sending = request(`${url}/api/datasets/7/rows`, {
      method: 'POST',
      headers: { authorization: 'Token token', 'content-type': 'text/csv', 'content-length': 10_000_000_000 },
    });
    sending.on('error', () => undefined);
    sending.write('a,b\n'.repeat(300));
    const [response] = (await once(sending, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(413);
    expect(appended).toEqual([]);
    sending.destroy();
  });

  it('that exceeds the limit is rejected with 413 even if its client sends all of it before it reads', async () => {
    datasets.on(admitRows, () => ({ max_bytes: 1_000 }));
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const content = Buffer.alloc(8 * 1024 * 1024, 'a,b\n');
    const lines = ['POST /api/datasets/7/rows HTTP/1.1', `host: ${hostname}:${port}`, 'authorization: Token token'];
    lines.push('content-type: text/csv', `content-length: ${content.length}`, 'connection: close', '', '');
    await new Promise((resolve) => {
      socket.write(lines.join('\r\n'));
      socket.write(content, resolve);
    });
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(appended).toEqual([]);
  });

  it('by a caller without permission is rejected before it has arrived', async () => {
    datasets.on(admitRows, () => {
      throw new ForbiddenError();
    });
    const sending = request(`${url}/api/datasets/7/rows`, {
      method: 'POST',
      headers: { authorization: 'Token token', 'content-type': 'text/csv', 'content-length': 10_000_000_000 },
    });
    sending.on('error', () => undefined);
    sending.write('a,b\n');
    const [response] = (await once(sending, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(403);
    sending.destroy();
  });
});
