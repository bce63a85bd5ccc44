import { afterEach, expect, it } from '@jest/globals';
import { json, serve } from '@millrace/testkit/serve';
import { MillraceClient } from './client.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

it('rows.append sends rows unmodified and repeats them with the same idempotency key after a server error', async () => {
  const server = await serve((_, response, count) =>
    count === 1 ? json(response, 503, { code: 'internal_error', message: 'no' }) : json(response, 200, { id: '7' }),
  );
  open.push(server);
  const client = new MillraceClient({ baseUrl: server.url, token: 't' });
  const load = await client.rows.append('d 1', 'a,b\n1,2\n', { format: 'csv' });
  expect(load.id).toBe('7');
  const [first, second] = server.received;
  expect(second).toMatchObject({ method: 'POST', url: '/api/datasets/d%201/rows', body: 'a,b\n1,2\n' });
  expect(second?.headers['content-type']).toBe('text/csv');
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

it('rows.append sends a compressed stream once and unmodified', async () => {
  const server = await serve((_, response) => json(response, 200, { id: '7' }));
  open.push(server);
  const client = new MillraceClient({ baseUrl: server.url, token: 't' });
  await client.rows.append('d', new Blob(['compressed']).stream(), { format: 'ndjson', encoding: 'zstd' });
  expect(server.received[0]?.headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-encoding': 'zstd',
  });
  expect(server.received[0]?.body).toBe('compressed');
});
