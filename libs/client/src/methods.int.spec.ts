import { afterEach, describe, expect, it } from '@jest/globals';
import { json } from '@millrace/testkit/serve';
import { MillraceClient } from './client.js';
import { ConnectionError, InvalidRequestError, MillraceError, NotFoundError, ServerError } from './millrace-error.js';
import type { Progress } from './report-progress.js';
import { startServer, stopServers } from './testing/start-server.js';

afterEach(stopServers);

const start = (respond: Parameters<typeof startServer>[0]) => startServer(respond, { tries: 1 });

describe('a method', () => {
  it('has the parameters of its path, its input and its options, in this order', async () => {
    const { client, received } = await start((_, response) => json(response, 200, {}));
    await client.subjobs.skip('7', '8', { comment: 'known' }, { idempotencyKey: 'mine' });
    await client.runs.stop('7', { idempotencyKey: 'other' });
    await client.workflows.import({ yaml: 'millrace: 1' }, { query: { space: 's 1' } });
    await client.vaults.get();
    expect(received.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'POST /api/runs/7/subjobs/8/skip {"comment":"known"}',
      'POST /api/runs/7/stop {}',
      'POST /api/workflows/import?space=s+1 {"yaml":"millrace: 1"}',
      'GET /api/vault ',
    ]);
    expect(received.slice(0, 2).map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'other']);
  });

  it('rejects an id that would lead to another path', async () => {
    const client = new MillraceClient({ baseUrl: 'http://127.0.0.1:1' });
    await expect(client.runs.get('..')).rejects.toThrow('The path parameter "id" must not be ".."');
  });
});

describe('a list', () => {
  const pages = (count: number) => (request: { url: string }, response: Parameters<typeof json>[0]) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    json(response, 200, { results: [{ id: `${page}` }], count, next: page < count ? 'http://x' : null });
  };

  it('is requested when it is awaited or iterated, and not before', async () => {
    const { client, received } = await start(pages(3));
    const list = client.runs.list({ status: 'FAILED' });
    expect(received).toHaveLength(0);
    expect((await list).count).toBe(3);
    expect(received.map(({ url }) => url)).toEqual(['/api/runs?status=FAILED']);
  });

  it('is requested only as far as it is read', async () => {
    const { client, received } = await start(pages(5));
    expect((await client.runs.list().toArray(2)).map(({ id }) => id)).toEqual(['1', '2']);
    expect(await client.runs.list().toArray(0)).toEqual([]);
    expect(received).toHaveLength(2);
  });

  it('begins at the page of its query', async () => {
    const { client } = await start(pages(3));
    expect((await client.runs.list({ page: 2 }).toArray()).map(({ id }) => id)).toEqual(['2', '3']);
  });

  it('without numbered pages follows the cursor, and has the largest page that its operation permits', async () => {
    const { client, received } = await start((_, response, count) =>
      json(response, 200, { results: [{ dataset: `${count}` }], cursor: count < 2 ? 'next' : null }),
    );
    expect(await client.runTables.compare('1', '2').toArray()).toEqual([{ dataset: '1' }, { dataset: '2' }]);
    expect(received.map(({ url }) => url)).toEqual([
      '/api/runs/1/compare/2/tables?page_size=100',
      '/api/runs/1/compare/2/tables?page_size=100&cursor=next',
    ]);
  });
});

describe('an error', () => {
  it.each([
    [400, 'validation_error', InvalidRequestError],
    [404, 'not_found', NotFoundError],
    [507, 'storage_full', ServerError],
  ])('of status %d has a class of its own, and is a MillraceError', async (status, code, Kind) => {
    const { client } = await start((_, response) => json(response, status, { code, message: 'no' }));
    const error = await client.runs.get('7').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Kind);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ status, code, name: Kind.name });
  });

  it('without a response is a ConnectionError with the reason', async () => {
    const { client, url, close } = await start(() => undefined);
    await close();
    const error = await client.runs.get('7').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as ConnectionError).url).toBe(`${url}/api/runs/7`);
    expect((error as ConnectionError).reason).toContain('ECONNREFUSED');
  });

  it('of an aborted call is the reason of the abortion', async () => {
    const { client } = await start(() => undefined);
    const call = client.runs.get('7', { signal: AbortSignal.timeout(30) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a transfer', () => {
  it('reports the bytes of an upload and of a download', async () => {
    const { client } = await start((request, response) => {
      if (request.method === 'POST') return json(response, 201, { id: 'f' });
      response.writeHead(200, { 'content-length': '5' }).end('hello');
    });
    const [sent, arrived]: [Progress[], Progress[]] = [[], []];
    await client.files.upload('a', new Blob(['x'.repeat(300_000)]), { onProgress: (step) => sent.push(step) });
    expect(sent.at(-1)).toEqual({ loaded: 300_000, total: 300_000 });
    const download = await client.files.download('f', { onProgress: (step) => arrived.push(step) });
    expect(await download.text()).toBe('hello');
    expect(arrived.at(-1)).toEqual({ loaded: 5, total: 5 });
  });

  it('of a command in a sandbox yields what the command prints, and its end', async () => {
    const { client, received } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: stdout\ndata: {"text":"hi"}\n\nevent: exit\ndata: {"code":0,"saved":true}\n\n');
    });
    const events = [];
    for await (const event of client.sandboxes.exec({ sessionId: 's', command: 'echo hi' })) events.push(event);
    expect(events).toEqual([
      { type: 'stdout', text: 'hi' },
      { type: 'exit', exit: { code: 0, saved: true } },
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ sessionId: 's', command: 'echo hi' });
  });

  it('to a hook has the content type and the headers of the caller, and no token', async () => {
    const { client, received } = await start((_, response) => json(response, 202, { run: '7' }));
    const headers = { 'x-signature': 'abc' };
    expect(await client.hooks.fire('secret', '<a/>', { contentType: 'text/xml', headers })).toEqual({ run: '7' });
    expect(received[0]).toMatchObject({ url: '/api/hooks/secret', body: '<a/>' });
    expect(received[0]?.headers).toMatchObject({ 'content-type': 'text/xml', ...headers });
    expect(received[0]?.headers.authorization).toBeUndefined();
  });
});

it('wait resolves with the run when its events end', async () => {
  const { client } = await start((request, response) => {
    if (!request.url.includes('/events')) return json(response, 200, { id: '7', status: 'COMPLETED' });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('id: 1\nevent: change\ndata: {"status":"RUNNING"}\n\nevent: end\ndata: {"status":"COMPLETED"}\n\n');
  });
  const seen: string[] = [];
  const run = await client.runs.wait('7', { onEvent: (event) => seen.push(event.type) });
  expect(run.status).toBe('COMPLETED');
  expect(seen).toEqual(['change', 'end']);
});
