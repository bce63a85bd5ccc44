import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { outputs, runs, sessions, spaces, users } from '@millrace/contracts/resources';
import { json, type ReceivedRequest } from '@millrace/testkit/serve';
import { MillraceClient } from './client.js';
import { ConnectionError, MillraceError } from './millrace-error.js';
import { UnexpectedResponseError } from './read-response.js';
import { startServer, stopServers } from './testing/start-server.js';
import { validateResponse } from './validation.js';

afterEach(stopServers);

describe('a call of an operation', () => {
  it('sends method, path, token and body, and returns the response', async () => {
    const { client, received } = await startServer((_, response) => json(response, 201, { id: 's' }));
    const space = await client.call(spaces.createSpace, { body: { name: 'Lab' } });
    expect(space.id).toBe('s');
    expect(received[0]).toMatchObject({ method: 'POST', url: '/api/spaces', body: '{"name":"Lab"}' });
    expect(received[0]?.headers).toMatchObject({ authorization: 'Token secret', 'content-type': 'application/json' });
  });

  it('of a public operation is sent without the token', async () => {
    const { client, received } = await startServer((_, response) => json(response, 200, {}));
    await client.call(sessions.login, { body: { email: 'a@b.c', password: 'x' } });
    expect(received[0]?.headers.authorization).toBeUndefined();
  });

  it('returns null if the response has no content', async () => {
    const { client } = await startServer((_, response) => response.writeHead(204).end());
    expect(await client.call(spaces.deleteSpace, { params: { id: 'x' } })).toBeNull();
  });

  it('throws a MillraceError with the error that the server reports', async () => {
    const body = { code: 'validation_error', message: 'Not valid', details: { 'body.name': 'too long' } };
    const { client } = await startServer((_, response) => json(response, 400, body, { 'x-request-id': 'r1' }));
    const error = await client.call(spaces.createSpace, { body: { name: '' } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ status: 400, ...body, requestId: 'r1' });
  });

  it('throws a MillraceError with status and text if another server responds with an error', async () => {
    const { client } = await startServer((_, response) => response.writeHead(418).end('teapot'));
    const call = client.call(spaces.getSpace, { params: { id: 'x' } });
    await expect(call).rejects.toMatchObject({ status: 418, code: 'http_418', message: 'teapot' });
  });
});

describe('an unexpected response', () => {
  const user = {
    id: 'u',
    email: 'a@b.c',
    name: 'A',
    vault: 'v',
    vault_role: 'owner',
    is_google: false,
    mfa_enabled: false,
    created_date: '2026-01-01T00:00:00.000Z',
  };

  it('is reported with the address and its content type', async () => {
    const { client, url } = await startServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
    );
    const call = client.call(users.getMe);
    await expect(call).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(call).rejects.toThrow(
      `${url} does not respond to GET /api/users/me as a Millrace server does: the response is text/html instead of JSON.`,
    );
    await expect(client.list(runs.listRuns).toArray()).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(client.files.upload('a', new Blob(['b']))).rejects.toBeInstanceOf(UnexpectedResponseError);
  });

  it.each([
    [{ ...user, name: undefined }, 'name'],
    [{ ...user, mfa_enabled: 'no' }, 'mfa_enabled'],
  ])(
    'is reported with the field that does not match the contract if responses are checked (%#)',
    async (body, field) => {
      const { client, url } = await startServer((_, response) => json(response, 200, body));
      const checking = new MillraceClient({ baseUrl: url, token: 'secret', validate: validateResponse });
      await expect(checking.call(users.getMe)).rejects.toThrow(
        `the field "${field}" is missing or has a different type`,
      );
      expect(await client.call(users.getMe)).toEqual(JSON.parse(JSON.stringify(body)));
    },
  );

  it('is not reported for values and fields of a newer server', async () => {
    const newer = { ...user, vault_role: 'auditor', phone: '1' };
    const { url } = await startServer((_, response) => json(response, 200, newer));
    const checking = new MillraceClient({ baseUrl: url, token: 'secret', validate: validateResponse });
    expect(await checking.call(users.getMe)).toEqual(newer);
  });
});

describe('a mistake of the caller', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const failing = () => new ReadableStream<Uint8Array>({ pull: (stream) => stream.error(new Error('no such file')) });

  it.each<[string, (client: MillraceClient) => Promise<unknown>, string]>([
    [
      'a body that is not JSON',
      (client) => client.call(spaces.createSpace, { body: cyclic as { name: string } }),
      'circular structure',
    ],
    [
      'an idempotency key with a line break',
      (client) => client.runs.stop('1', { idempotencyKey: 'a\nb' }),
      'The header "idempotency-key" contains a character that HTTP does not permit',
    ],
    ['a signal that is none', (client) => client.runs.stop('1', { signal: {} as AbortSignal }), 'AbortSignal'],
    ['a stream that fails', (client) => client.files.upload('a', failing), 'no such file'],
    [
      'a function that fails',
      (client) =>
        client.files.upload('a', () => {
          throw new Error('no such file');
        }),
      'no such file',
    ],
  ])('is thrown at once, and not as a lost connection: %s', async (_, call, message) => {
    const { client, received } = await startServer((__, response) => json(response, 200, {}));
    const began = Date.now();
    const error = await call(client).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain(message);
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(received).toHaveLength(0);
  });

  it('in a token is thrown by the constructor, or by the call if a source returns it', async () => {
    const { client, url } = await startServer((_, response) => json(response, 200, {}), {
      token: { current: () => Promise.resolve('sec\nret') },
    });
    const message = 'The token contains a character that HTTP does not permit, such as a line break';
    await expect(client.users.me()).rejects.toThrow(new TypeError(message));
    expect(() => new MillraceClient({ baseUrl: url, token: 'sec\nret' })).toThrow(new TypeError(message));
  });

  it.each([
    ['nonsense', '`baseUrl` must be an http or https address, such as "http://127.0.0.1:8080" (got "nonsense")'],
    ['localhost:8080', '(got "localhost:8080")'],
    ['', '(got "")'],
    [undefined, '(got undefined)'],
    ['http://user:pass@host', '`baseUrl` must not contain a user or a password; pass a `token` instead'],
    ['http://host/?a=b', '`baseUrl` must not contain "?" or "#" (got "http://host/?a=b")'],
  ])('in the address is thrown by the constructor: %s', (baseUrl, message) => {
    const open = () => new MillraceClient({ baseUrl: baseUrl as string });
    expect(open).toThrow(TypeError);
    expect(open).toThrow(message);
    expect(open).not.toThrow('pass@');
  });
});

describe('a failed request', () => {
  it('is not repeated after a renewal of the token if its stream was read', async () => {
    const token = { current: () => Promise.resolve('old'), renew: () => Promise.resolve('new') };
    const { client, received } = await startServer(
      (_, response) => json(response, 401, { code: 'unauthenticated', message: 'ended' }),
      { token },
    );
    const upload = client.files.upload('a', new Blob(['b']).stream());
    await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(received).toHaveLength(1);
  });

  it('is repeated with the same idempotency key', async () => {
    const { client, received } = await startServer((_, response, count) => {
      if (count === 1) response.socket?.destroy();
      else if (count === 2) json(response, 503, {});
      else json(response, 201, { id: '7' });
    });
    expect(await client.call(runs.createRun, { params: { id: 'w' }, body: {} })).toMatchObject({ id: '7' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('is not repeated if the server might execute it twice', async () => {
    const { client, received } = await startServer((_, response) => json(response, 503, {}));
    await expect(client.call(spaces.deleteSpace, { params: { id: 'x' } })).rejects.toThrow();
    expect(received).toHaveLength(1);
  });

  it('is repeated after a rate limit, whatever its method', async () => {
    const { client, received } = await startServer((_, response, count) => {
      if (count === 1) json(response, 429, { code: 'rate_limited', message: 'Slower' }, { 'retry-after': '0' });
      else json(response, 200, {});
    });
    await client.call(spaces.deleteSpace, { params: { id: 'x' } });
    expect(received).toHaveLength(2);
  });

  it.each(['900', 'soon'])('is not repeated after a rate limit with the Retry-After header %s', async (after) => {
    const { client, received } = await startServer((_, response) => json(response, 429, {}, { 'retry-after': after }));
    await expect(client.call(spaces.listSpaces)).rejects.toMatchObject({ status: 429 });
    expect(received).toHaveLength(1);
  });

  it('has a different idempotency key than the next call', async () => {
    const { client, received } = await startServer((_, response) => json(response, 200, {}));
    for (let call = 0; call < 2; call += 1) await client.call(runs.stopRun, { params: { id: '1' } });
    expect(received[0]?.headers['idempotency-key']).not.toBe(received[1]?.headers['idempotency-key']);
  });

  it('times out without a response', async () => {
    const { client } = await startServer(() => undefined);
    const call = client.call(spaces.deleteSpace, { params: { id: 'x' }, timeoutMs: 50 });
    await expect(call).rejects.toThrow('The server did not respond within 50 ms');
  });

  it('is aborted by its signal', async () => {
    const { client } = await startServer(() => undefined);
    const call = client.call(spaces.listSpaces, { signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toThrow();
  });
});

it('a list yields the records of all pages of a list', async () => {
  const { client, received } = await startServer(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    json(response, 200, { results: [{ id: `${page}` }], count: 3, next: page < 3 ? 'http://x' : null });
  });
  const ids: string[] = [];
  for await (const run of client.list(runs.listRuns, { query: { status: 'FAILED' } })) ids.push(run.id);
  expect(ids).toEqual(['1', '2', '3']);
  expect(received[2]?.url).toBe('/api/runs?page_size=1000&status=FAILED&page=3');
});

it('a list continues at the cursor of the previous page', async () => {
  const { client, received } = await startServer(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    const links = page < 3 ? { next: 'http://x', cursor: `after ${page}` } : { next: null, cursor: null };
    json(response, 200, { results: [{ id: `${page}` }], count: 3, ...links });
  });
  const ids: string[] = [];
  for await (const run of client.list(runs.listRuns)) ids.push(run.id);
  expect(ids).toEqual(['1', '2', '3']);
  expect(received.map(({ url }) => new URL(url, 'http://x').searchParams.get('cursor'))).toEqual([
    null,
    'after 1',
    'after 2',
  ]);
});

it('download returns a stream of the requested range', async () => {
  const { client, received } = await startServer((_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 2-4/10', 'content-length': '3' }).end('cde');
  });
  const download = await client.download(
    outputs.downloadOutput,
    { params: { id: 'o' } },
    { range: { start: 2, end: 4 } },
  );
  expect(await text(download.body)).toBe('cde');
  expect(download).toMatchObject({ size: 3, totalSize: 10 });
  expect(received[0]?.headers.range).toBe('bytes=2-4');
});

describe('a response that is cut off', () => {
  const cut = (_: ReceivedRequest, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '10', 'content-type': 'application/json' }).write('{"a":');
    setTimeout(() => response.destroy(), 30);
  };

  it.each(['text', 'bytes', 'body'] as const)('is a ConnectionError of a download that is read by %s', async (by) => {
    const { client, url } = await startServer(cut);
    const progress: number[] = [];
    const download = await client.files.download('f', { onProgress: ({ loaded }) => progress.push(loaded) });
    const error = await (by === 'body' ? text(download.body) : download[by]()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ url: `${url}/api/storage/files/f/download`, isInterrupted: true });
    expect((error as Error).message).toMatch(new RegExp(`^The connection to ${url} was lost: .`));
    expect(progress).toEqual([5]);
  });

  it('is a ConnectionError of a call', async () => {
    const { client, url } = await startServer(cut);
    const error = await client.users.me().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ url: `${url}/api/users/me`, isInterrupted: true });
  });

  it('is a ConnectionError of a command in a sandbox', async () => {
    const { client } = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
      setTimeout(() => response.destroy(), 30);
    });
    const read = async () => {
      for await (const _event of client.sandboxes.exec({ sessionId: 's', command: 'true' }));
    };
    await expect(read()).rejects.toBeInstanceOf(ConnectionError);
  });

  it('by the signal of the caller is the reason of the signal', async () => {
    const { client } = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('begun');
    });
    const download = await client.files.download('f', { signal: AbortSignal.timeout(50) });
    await expect(download.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an upload of the client', () => {
  it('of a stream sends the complete file', async () => {
    const { client, received } = await startServer((_, response) => json(response, 201, { id: 'f', path: 'a/b.txt' }));
    const file = await client.files.upload('a/b.txt', () => new Blob(['hello']).stream());
    expect(file.path).toBe('a/b.txt');
    const { body, headers } = received[0] ?? { body: '', headers: {} };
    const parsed = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect(parsed.get('path')).toBe('a/b.txt');
    expect(await (parsed.get('file') as File).text()).toBe('hello');
  });

  it('is repeated from the start of its stream if a function opens the stream', async () => {
    const { client, received } = await startServer((_, response, count) => json(response, count === 1 ? 503 : 201, {}));
    await client.files.upload('a', () => new Blob(['again']).stream());
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toContain('again');
  });
});
