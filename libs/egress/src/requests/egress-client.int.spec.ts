import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AllowList } from '../addresses/allow-list.js';
import { type Resolve } from '../addresses/guarded-lookup.js';
import { EgressClient, type OpenOptions } from './egress-client.js';
import { EgressError, EgressRefusedError } from './egress-error.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function serve(listener: RequestListener): Promise<string> {
  return listen(createHttpServer(listener));
}

/** Starts a server that sends the bytes that `speak` writes, which may not be HTTP. */
const serveRaw = (speak: (socket: Socket) => void): Promise<string> =>
  listen(createServer((socket) => speak(socket.on('error', () => undefined))));

async function listen(server: Server | ReturnType<typeof createServer>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function createClient(allow: string, options: { resolve?: Resolve; idleMs?: number } = {}): EgressClient {
  const client = new EgressClient(AllowList.read(allow), options);
  cleanups.push(() => client.close());
  return client;
}

const BOUNDS: OpenOptions = { maxBytes: 100_000, timeoutMs: 10_000 };

async function read(client: EgressClient, url: string, options: Partial<OpenOptions> = {}): Promise<string> {
  const { body } = await client.open(url, { ...BOUNDS, ...options });
  return text(body);
}

const failure = async (request: Promise<unknown>): Promise<EgressError> => {
  const error = await request.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EgressError);
  return error as EgressError;
};

/** Creates a resolver that returns these addresses in order, one list per lookup, and then always the last list. */
const resolving = (...results: string[][]): Resolve => {
  let lookups = 0;
  return (_host, callback) => {
    const addresses = results[Math.min(lookups++, results.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
};

describe('this machine and its network', () => {
  /** One address in all spellings that URLs allow. */
  const spell = ([a, b, c, d]: [number, number, number, number]) => {
    const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    const octal = (n: number) => `0${n.toString(8)}`;
    return fc.constantFrom(
      `${a}.${b}.${c}.${d}`,
      String(whole),
      `0x${whole.toString(16)}`,
      `0${whole.toString(8)}`,
      `${octal(a)}.${octal(b)}.${octal(c)}.${octal(d)}`,
      `0x${a.toString(16)}.${b}.${octal(c)}.${d}`,
      `${a}.${((b << 16) | (c << 8) | d) >>> 0}`,
      `${a}.${b}.${(c << 8) | d}`,
      `${a}.${b}.${c}.${d}.`,
      `%31${String(a).slice(1)}.${b}.${c}.${d}`,
      `[::ffff:${a}.${b}.${c}.${d}]`,
      `[::${a}.${b}.${c}.${d}]`,
      `[64:ff9b::${a}.${b}.${c}.${d}]`,
    );
  };
  const inner = fc.constantFrom<[number, number, number, number]>(
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [100, 100, 100, 200],
    [192, 168, 0, 1],
  );

  it('are not reached by any spelling of an address', async () => {
    const client = createClient('');
    await fc.assert(
      fc.asyncProperty(inner.chain(spell), fc.constantFrom('http', 'https', 'HTTP'), async (host, scheme) => {
        const error = await failure(client.open(`${scheme}://${host}:1/latest/meta-data/`, BOUNDS));
        expect(error).toBeInstanceOf(EgressRefusedError);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['file:///etc/passwd', 'ftp://a.org/', 'gopher://127.0.0.1/', 'no url', 'data:,x'])(
    'are not reached by the URL %s',
    async (url) => {
      expect(await failure(createClient('*').open(url, BOUNDS))).toBeInstanceOf(EgressRefusedError);
    },
  );

  it.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.1']], [['::1']], [['fd00:ec2::254']]])(
    'are not reached by a name that resolves to %s',
    async (addresses) => {
      const client = createClient('', { resolve: resolving(addresses) });
      const error = await failure(client.open('http://metadata.example.org/', BOUNDS));
      expect(error).toBeInstanceOf(EgressRefusedError);
      expect(error.message).toContain('metadata.example.org is not an address of the public internet');
    },
  );

  it('are not reached by a name that is public when checked and private when used', async () => {
    let connections = 0;
    const url = await serveRaw(() => connections++);
    // 192.0.2.0/24 is unassigned. It is allowed here to represent a public address that does not respond.
    const client = createClient('192.0.2.0/24', { resolve: resolving(['192.0.2.1'], ['127.0.0.1']) });
    const name = url.replace('127.0.0.1', 'rebind.example.org');
    await failure(client.open(name, { ...BOUNDS, timeoutMs: 300 }));
    expect(await failure(client.open(name, BOUNDS))).toBeInstanceOf(EgressRefusedError);
    expect(connections).toBe(0);
  });

  it('are not reached by a redirect', async () => {
    let reached = 0;
    const inside = await serve((_request, response) => response.end(String(reached++)));
    const front = await serve((_request, response) => response.writeHead(302, { location: inside }).end());
    const client = createClient('front.example.org', { resolve: resolving(['127.0.0.1']) });
    const error = await failure(client.open(front.replace('127.0.0.1', 'front.example.org'), BOUNDS));
    expect([error instanceof EgressRefusedError, reached]).toEqual([true, 0]);
  });
});

describe('a response to EgressClient', () => {
  it('is fetched through redirects, without sending credentials to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const target = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('there');
    });
    const front = await serve(({ url, headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(url === '/a' ? 301 : 307, { location: url === '/a' ? '/b' : target }).end();
    });
    expect(await read(createClient('127.0.0.1'), `${front.replace('//', '//me:secret@')}/a`)).toBe('there');
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(seen).toEqual([basic, basic, undefined]);
  });

  it('fails after five redirects', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const error = await failure(read(createClient('127.0.0.1'), url));
    expect([error.message, error.isTransient]).toEqual(['it was redirected more than 5 times', false]);
  });

  it('is returned unmodified if redirects are not followed', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/x' }).end());
    const client = createClient('127.0.0.1');
    const { status, body } = await client.open(url, { ...BOUNDS, method: 'POST', body: '{}' });
    body.destroy();
    expect(status).toBe(302);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])(
    'is decompressed if it is compressed by %s although the client did not request that',
    async (encoding, compress) => {
      const url = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('content'))),
      );
      expect(await read(createClient('127.0.0.1'), url)).toBe('content');
    },
  );

  it('fails if its decompressed size exceeds the limit', async () => {
    let isOver = false;
    const url = await serve((_request, response) => {
      const gzip = createGzip();
      gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      const zeros = Buffer.alloc(1 << 20);
      const writeMore = () => void (!isOver && gzip.write(zeros, () => setImmediate(writeMore)));
      response.on('close', () => (isOver = true));
      writeMore();
    });
    const error = await failure(read(createClient('127.0.0.1'), url));
    expect([error.message, error.isTransient]).toEqual(['it is larger than 100000 bytes', false]);
  });

  it('fails at the size limit if it is endless', async () => {
    const url = await serve((_request, response) => {
      const writeMore = () =>
        void (!response.destroyed && response.write('x'.repeat(10_000), () => setImmediate(writeMore)));
      writeMore();
    });
    expect((await failure(read(createClient('127.0.0.1'), url))).message).toBe('it is larger than 100000 bytes');
  });

  it('is not read if its announced size exceeds the limit', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100_001 }).flushHeaders();
    });
    expect((await failure(createClient('127.0.0.1').open(url, BOUNDS))).message).toBe('it is larger than 100000 bytes');
  });

  it('fails at the timeout of the exchange if its body arrives too slowly', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const error = await failure(read(createClient('127.0.0.1'), url, { timeoutMs: 400 }));
    expect(error.message).toBe('it took too long');
  });

  it('fails at the timeout of the exchange if its headers arrive too slowly', async () => {
    const url = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failure(read(createClient('127.0.0.1'), url, { timeoutMs: 400 }))).message).toBe('it took too long');
  });

  it('fails with a transient error if the server falls silent', async () => {
    const url = await serve((_request, response) => void response.write('x'));
    const error = await failure(read(createClient('127.0.0.1', { idleMs: 100 }), url));
    expect([error.message, error.isTransient]).toEqual(['the server stopped sending', true]);
  });

  it.each([
    ['that is shorter than its Content-Length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', true],
    ['that is cut in its headers', 'HTTP/1.1 200 OK\r\ncont', true],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', false],
    ['with headers that are too large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, false],
  ])('%s fails the request', async (_what, response, isTransient) => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.end(response)));
    expect((await failure(read(createClient('127.0.0.1'), url))).isTransient).toBe(isTransient);
  });

  it('fails if it is corrupt', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all'),
    );
    expect((await failure(read(createClient('127.0.0.1'), url))).message).toBe('the response cannot be decompressed');
  });

  it('fails with a transient error if no server listens', async () => {
    const url = await serve(() => undefined);
    await cleanups.pop()?.();
    const error = await failure(read(createClient('127.0.0.1'), url));
    expect([error.message, error.isTransient]).toEqual(['the connection was refused', true]);
  });

  it('is cancelled by a signal', async () => {
    const url = await serve((_request, response) => void response.write('x'));
    const controller = new AbortController();
    const { body } = await createClient('127.0.0.1').open(url, { ...BOUNDS, signal: controller.signal });
    const reading = failure(text(body));
    controller.abort();
    await reading;
  });
});
