import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreFailedError } from '../object-store.js';
import { openStore } from '../open-store.js';
import { storageEnv } from '../settings/storage-env.js';
import { startS3, type TestS3 } from '../testing/start-s3.js';

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

let s3: TestS3;
/** A proxy in front of the server that records the method of each request. `intercept` returns true if it has responded. */
let front: Server;
let intercept: Intercept;
let methods: string[];
beforeAll(async () => {
  s3 = await startS3();
  const { port } = new URL(s3.endpoint);
  front = createServer((incoming, outgoing) => {
    methods.push(String(incoming.method));
    if (intercept(incoming, outgoing)) return;
    const options = { port, path: incoming.url, method: incoming.method, headers: incoming.headers };
    const forwarded = request(options, (upstream) => {
      outgoing.writeHead(upstream.statusCode ?? 500, upstream.headers);
      if (cutAfter === null) return void upstream.pipe(outgoing);
      const byteCount = cutAfter;
      cutAfter = null;
      upstream.once('data', (piece: Buffer) => {
        outgoing.write(piece.subarray(0, byteCount), () => outgoing.destroy());
        upstream.destroy();
      });
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.once('close', () => incoming.complete || forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => front.once('listening', resolve));
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise((resolve) => front.close(resolve));
  await s3.close();
});

let folder: string;
/** Number of bytes of the next response after which the connection breaks. */
let cutAfter: number | null;
let prefixes = 0;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'millrace-s3-store-'));
  intercept = () => false;
  methods = [];
  cutAfter = null;
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = (more: Record<string, string> = {}) =>
  openStore(
    storageEnv.parse({
      STORAGE_DIR: join(folder, 'objects'),
      STORAGE_URL: `s3://objects/own${++prefixes}?endpoint=http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      ...s3.credentials,
      ...more,
    }),
  );
const cached = () =>
  fs
    .readdirSync(join(folder, 'objects/cache'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(-2)}${entry.name}`);

describe('an object at the server', () => {
  it('is downloaded once, however many links are created at once', async () => {
    const store = open();
    const { sha256 } = await store.put(Buffer.from('content'));
    methods = [];
    await Promise.all(Array.from({ length: 8 }, (_, at) => store.link(sha256, join(folder, `n${at}`))));
    await store.link(sha256, join(folder, 'later'));
    expect(methods).toEqual(['GET']);
  });

  it('is not uploaded again if it exists', async () => {
    const store = open();
    const content = randomBytes(2 ** 20);
    await store.put(content);
    methods = [];
    fs.writeFileSync(join(folder, 'same'), content);
    await store.adopt(join(folder, 'same'));
    expect(methods).toEqual(['HEAD']);
  });

  it('is linked without a download if a step on this machine stored it', async () => {
    const store = open();
    fs.writeFileSync(join(folder, 'output'), 'left');
    const { sha256 } = await store.adopt(join(folder, 'output'));
    methods = [];
    await store.link(sha256, join(folder, 'input'));
    expect(fs.readFileSync(join(folder, 'input'), 'utf8')).toBe('left');
    expect(methods).toEqual([]);
  });

  it('is never linked if its content does not match its hash', async () => {
    const store = open();
    const { sha256 } = await store.put(Buffer.from('content'));
    const path = (fs.readdirSync(s3.folder, { recursive: true }) as string[]).find(
      (name) => name.includes(`own${prefixes}/${sha256.slice(0, 2)}/${sha256.slice(2)}`) && name.endsWith('_object'),
    );
    fs.writeFileSync(join(s3.folder, path ?? ''), 'garbled');
    await expect(store.link(sha256, join(folder, 'x'))).rejects.toThrow(StoreFailedError);
    expect([fs.existsSync(join(folder, 'x')), cached()]).toEqual([false, []]);
  });
});

describe('the local cache', () => {
  it('keeps the most recently used objects within its limit', async () => {
    const store = open({ STORAGE_CACHE: '10K' });
    const contents = Array.from({ length: 6 }, () => randomBytes(3_000));
    const hashes = contents.map(hashOf);
    for (const content of contents) await store.put(content);
    for (const [at, sha256] of hashes.entries()) {
      await store.link(sha256, join(folder, `n${at}`));
      // The disk's clock is coarser than this loop is fast.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (at > 0) await store.link(hashes[0] ?? '', join(folder, `again${at}`));
    }
    const sizes = cached().length * 3_000;
    expect(sizes).toBeLessThanOrEqual(10_240);
    expect(cached()).toEqual(expect.arrayContaining([hashes[0], hashes[5]]));
    expect(fs.readFileSync(join(folder, 'n2')).equals(contents[2] as Buffer)).toBe(true);
  });

  it('may contain a single object above its limit', async () => {
    const store = open({ STORAGE_CACHE: '1K' });
    const { sha256 } = await store.put(randomBytes(9_000));
    await Promise.all(['a', 'b', 'c'].map((name) => store.link(sha256, join(folder, name))));
    expect(fs.statSync(join(folder, 'c')).size).toBe(9_000);
  });
});

describe('a failure of the server', () => {
  it('is retried without an error if it recovers', async () => {
    const store = open();
    const content = randomBytes(300_000);
    let remainingFailures = 2;
    intercept = (_request, response) => remainingFailures-- > 0 && Boolean(response.writeHead(503).end());
    const { sha256 } = await store.put(content);
    remainingFailures = 2;
    expect(content.equals(await store.readAll(sha256))).toBe(true);
  });

  it('does not break a read, which resumes where it was cut off', async () => {
    const store = open();
    const content = randomBytes(3_000_000);
    const { sha256 } = await store.put(content);
    methods = [];
    cutAfter = 10_000;
    expect(content.equals(await store.readAll(sha256))).toBe(true);
    expect(methods).toEqual(['GET', 'GET']);
    cutAfter = 5_000;
    const range = await store.readAll(sha256, { start: 100, end: 200_000 });
    expect(content.subarray(100, 200_001).equals(range)).toBe(true);
  });

  it('is reported without quoting the request, and leaves nothing behind', async () => {
    const store = open();
    intercept = (_request, response) => Boolean(response.writeHead(403).end());
    const failure: unknown = await store.put(Buffer.from('content')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreFailedError);
    expect(failure).toMatchObject({ status: 403, message: expect.stringContaining('(403)') });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(/S3RVER|AWS4|127\.0\.0\.1/);
    fs.writeFileSync(join(folder, 'output'), 'mine');
    await expect(store.adopt(join(folder, 'output'))).rejects.toThrow(StoreFailedError);
    expect(fs.readFileSync(join(folder, 'output'), 'utf8')).toBe('mine');
    expect(cached()).toEqual([]);
  });

  it('leaves neither parts of a large object nor a temporary file behind', async () => {
    const store = open();
    const content = randomBytes(20 * 2 ** 20);
    let parts = 0;
    intercept = (incoming, response) => {
      if (incoming.method !== 'PUT' || ++parts < 2) return false;
      incoming.resume();
      return Boolean(response.writeHead(403).end());
    };
    async function* stream() {
      yield content;
    }
    await expect(store.put(stream())).rejects.toThrow(StoreFailedError);
    intercept = () => false;
    expect([await store.has(hashOf(content)), cached()]).toEqual([false, []]);
  });

  it('leaves nothing behind of a large object whose upload is cancelled', async () => {
    const store = open();
    const content = randomBytes(20 * 2 ** 20);
    const stop = new AbortController();
    intercept = ({ method }) => {
      if (method === 'PUT') stop.abort(new Error('stopped'));
      return false;
    };
    fs.writeFileSync(join(folder, 'output'), content);
    await expect(store.adopt(join(folder, 'output'), { signal: stop.signal })).rejects.toThrow('stopped');
    expect(methods).toContain('DELETE');
    expect([await store.has(hashOf(content)), cached()]).toEqual([false, []]);
  });

  it('is reported as a failure if the bucket is missing', async () => {
    const store = open({ STORAGE_URL: `s3://none?endpoint=${s3.endpoint}` });
    await expect(store.readAll('0'.repeat(64))).rejects.toThrow(StoreFailedError);
  });
});

describe('the health check', () => {
  it('succeeds however many objects the bucket has', async () => {
    const store = open();
    for (const text of ['one', 'two', 'three']) await store.put(Buffer.from(text));
    await expect(store.check()).resolves.toBeUndefined();
  });

  it('fails if the bucket is missing', async () => {
    const store = open({ STORAGE_URL: `s3://none?endpoint=${s3.endpoint}` });
    await expect(store.check()).rejects.toThrow('the object store failed');
  });
});

it('openStore rejects incomplete credentials', () => {
  expect(() => open({ AWS_ACCESS_KEY_ID: '' })).toThrow();
  const { AWS_SECRET_ACCESS_KEY: _, ...half } = storageEnv.parse({
    STORAGE_DIR: folder,
    STORAGE_URL: s3.url,
    ...s3.credentials,
  });
  expect(() => openStore(half)).toThrow(/neither/);
});

// The test server cannot continue a list: its tokens need a cipher that OpenSSL no longer has.
it('S3Store lists more objects than one response of the server has', async () => {
  const nameOf = (index: number) => index.toString(16).padStart(62, '0');
  intercept = ({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://s3');
    const isLast = searchParams.get('continuation-token') === 'next';
    const objects = Array.from({ length: isLast ? 2 : 1_000 }, (_value, index) => nameOf(index + (isLast ? 1_000 : 0)));
    const contents = [...objects, 'other'].map(
      (name) =>
        `<Contents><Key>${searchParams.get('prefix')}${name}</Key><Size>7</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
    );
    const token = isLast ? '' : '<NextContinuationToken>next</NextContinuationToken>';
    response.setHeader('content-type', 'application/xml');
    return Boolean(response.end(`<ListBucketResult>${token}${contents.join('')}</ListBucketResult>`));
  };
  const listed = [];
  for await (const page of open().list('ab')) listed.push(page);
  expect(listed.map(({ length }) => length)).toEqual([1_000, 2]);
  expect(listed[1]?.[1]).toEqual({ sha256: `ab${nameOf(1_001)}`, size: 7, storedAt: new Date('2026-01-01T00:00:00Z') });
});
