import { afterEach, expect, it } from '@jest/globals';
import { MillraceClient } from './client.js';
import { json, serve } from './testing/serve.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

it('rows are sent as they are, and sent again under the same key where the server failed', async () => {
  const server = await serve((_, response, count) =>
    count === 1 ? json(response, 503, { code: 'internal_error', message: 'no' }) : json(response, 200, { id: '7' }),
  );
  open.push(server);
  const client = new MillraceClient({ baseUrl: server.url, token: 't' });
  const load = await client.appendRows('d 1', 'a,b\n1,2\n', { format: 'csv' });
  expect(load.id).toBe('7');
  const [first, second] = server.seen;
  expect(second).toMatchObject({ method: 'POST', url: '/api/datasets/d%201/rows', body: 'a,b\n1,2\n' });
  expect(second?.headers['content-type']).toBe('text/csv');
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

it('a stream is sent once, packed as it is', async () => {
  const server = await serve((_, response) => json(response, 200, { id: '7' }));
  open.push(server);
  const client = new MillraceClient({ baseUrl: server.url, token: 't' });
  await client.appendRows('d', new Blob(['packed']).stream(), { format: 'ndjson', encoding: 'zstd' });
  expect(server.seen[0]?.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' });
  expect(server.seen[0]?.body).toBe('packed');
});
