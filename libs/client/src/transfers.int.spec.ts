import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { json, serve, type ReceivedRequest } from '@millrace/testkit/serve';
import { serveHttp } from '@millrace/testkit/serve-http';
import { MillraceClient } from './client.js';
import type { Progress } from './report-progress.js';
import type { UploadSource } from './upload-source.js';

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

async function start(respond: Parameters<typeof serve>[0] = (_, response) => json(response, 201, {})) {
  const server = await serve(respond);
  open.push(server);
  return { ...server, client: new MillraceClient({ baseUrl: server.url, token: 't' }) };
}

/** The file in a received form. */
async function fileOf({ body, headers }: ReceivedRequest): Promise<string> {
  const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  return (form.get('file') as File).text();
}

async function* generate() {
  yield 'hel';
  yield await Promise.resolve(Buffer.from('lo'));
}

describe('the contents of an upload', () => {
  it.each<[string, () => UploadSource]>([
    ['a string', () => 'hello'],
    ['a Buffer', () => Buffer.from('hello')],
    ['a part of a Uint8Array', () => new TextEncoder().encode('-hello-').subarray(1, 6)],
    ['a Blob', () => new Blob(['hello'])],
    ['a function that returns a string', () => () => 'hello'],
  ])('can be %s, which is sent again after a failure', async (_, source) => {
    const { client, received } = await start((__, response, count) => json(response, count % 2 === 1 ? 503 : 201, {}));
    await client.files.upload('a', source());
    await client.rows.append('d', source(), { format: 'csv' });
    await client.sandboxes.writeFile({ sessionId: 's', path: 'a' }, source());
    expect(received).toHaveLength(6);
    expect(await fileOf(received[1]!)).toBe('hello');
    expect(received.slice(2).map(({ body }) => body)).toEqual(Array(4).fill('hello'));
  });

  it.each<[string, () => UploadSource]>([
    ['a readable stream of Node', () => Readable.from([Buffer.from('hel'), Buffer.from('lo')])],
    ['a readable stream of Node with an encoding', () => Readable.from([Buffer.from('hello')]).setEncoding('utf8')],
    ['a web stream', () => new Blob(['hello']).stream()],
    ['an async generator', generate],
  ])('can be %s, which is sent once', async (_, source) => {
    const { client, received } = await start((__, response, count) => json(response, count === 1 ? 201 : 503, {}));
    await client.files.upload('a', source());
    expect(await fileOf(received[0]!)).toBe('hello');
    await expect(client.files.upload('a', source())).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(2);
  });

  it('can be a function that returns an async iterable, which is called for each attempt', async () => {
    const { client, received } = await start((_, response, count) => json(response, count === 1 ? 503 : 201, {}));
    await client.files.upload('a', generate);
    expect(await fileOf(received[1]!)).toBe('hello');
  });

  it('fail at once with the error of the stream', async () => {
    const { client, received } = await start();
    const missing = () => createReadStream('/nowhere/a.txt');
    await expect(client.files.upload('a', missing)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(client.files.upload('a', Readable.from([{ a: 1 }]))).rejects.toThrow(
      'A stream to upload must consist of strings or Uint8Arrays (got object)',
    );
    expect(received).toHaveLength(0);
  });

  it.each([
    [7, 'number'],
    [null, 'object'],
    [{ path: 'a' }, 'an object of the type Object'],
    [() => Promise.resolve('hello'), 'an object of the type Promise'],
  ])('of another type are rejected at once (%#)', async (source: unknown, type) => {
    const { client, received } = await start();
    const uploads = [
      client.files.upload('a', source as UploadSource),
      client.rows.append('d', source as UploadSource, { format: 'csv' }),
      client.sandboxes.writeFile({ sessionId: 's', path: 'a' }, source as UploadSource),
    ];
    for (const outcome of await Promise.allSettled(uploads)) {
      expect(outcome).toMatchObject({ reason: { name: 'TypeError' } });
      expect(String((outcome as PromiseRejectedResult).reason)).toContain(`(got ${type})`);
    }
    expect(received).toHaveLength(0);
  });
});

describe('the progress of an upload', () => {
  const SIZE = 300_000;

  it('of a Blob is reported as it is sent, in each attempt, under the length of a Blob', async () => {
    const { client, received } = await start((_, response, count) => json(response, count === 1 ? 503 : 201, {}));
    const steps: Progress[] = [];
    const options = { onProgress: (step: Progress) => void steps.push(step) };
    await client.files.upload('a', new Blob(['x'.repeat(SIZE)]), options);
    const loaded = [65_536, 131_072, 196_608, 262_144, SIZE];
    expect(steps).toEqual([...loaded, ...loaded].map((bytes) => ({ loaded: bytes, total: SIZE })));
    const lengths = received.map(({ headers }) => headers['content-length']);
    expect(lengths).toEqual(received.map(({ body }) => String(body.length)));
    expect(received.map(({ headers }) => headers['transfer-encoding'])).toEqual([undefined, undefined]);
  });

  it('waits for the server', async () => {
    let loaded = 0;
    const server = await serveHttp((request, response) => {
      request.pause();
      setTimeout(() => {
        atPause = loaded;
        request.resume().on('end', () => json(response, 201, {}));
      }, 300);
    });
    let atPause = 0;
    open.push(server);
    const client = new MillraceClient({ baseUrl: server.url });
    const size = 64 * 2 ** 20;
    const onProgress = (step: Progress) => void (loaded = step.loaded);
    await client.sandboxes.writeFile({ sessionId: 's', path: 'a' }, new Blob([new Uint8Array(size)]), { onProgress });
    expect(atPause).toBeGreaterThan(0);
    expect(atPause).toBeLessThan(size / 2);
    expect(loaded).toBe(size);
  });

  it('has both ends in a browser, which takes a Blob as a whole', async () => {
    const { client } = await start();
    const steps: number[] = [];
    Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
    try {
      const onProgress = ({ loaded }: Progress) => void steps.push(loaded);
      await client.files.upload('a', new Blob(['x'.repeat(SIZE)]), { onProgress });
      await client.sandboxes.writeFile({ sessionId: 's', path: 'a' }, () => 'hello', { onProgress });
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
    expect(steps).toEqual([0, SIZE, 0, 5]);
  });
});
