import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredFile } from '@millrace/contracts/records';
import { storage } from '@millrace/contracts/resources';
import { startS3, type TestS3 } from '@millrace/storage/testing/start-s3';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { listOutputs, readFilePort, runToEnd, script } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { watchMemory } from './support/watch-memory.js';

const MIB = 2 ** 20;
/** Three times the allowed growth of a process, so a process that loads a file into memory fails the test. */
const LARGE_MIB = 192;
const MAX_GROWTH_MIB = 64;
const QUOTA_MIB = 240;
const PROCESSES = ['gateway', 'workflows', 'runs', 'worker', 'auth'];

let s3: TestS3;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.close());

/** Blocks of 1 MiB. Each differs from the others in its number. */
function* blocks(mib: number): Generator<Buffer> {
  const block = randomBytes(MIB);
  for (let number = 0; number < mib; number += 1) {
    block.writeUInt32BE(number);
    yield Buffer.from(block);
  }
}
const streamOf = (mib: number) => Readable.toWeb(Readable.from(blocks(mib))) as ReadableStream<Uint8Array>;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['on the local disk', () => ({})],
  ['at an S3-compatible server', () => ({ STORAGE_URL: s3.url, ...s3.credentials })],
])('files %s', (place, settings) => {
  let system: OwnSystem;
  let account: Account;
  let large: StoredFile | undefined;
  beforeAll(async () => {
    system = await startOwnSystem({ STORAGE_QUOTA: `${QUOTA_MIB}M`, ...settings() });
    account = await signUp(system.url);
  });
  afterAll(() => system.stop());

  const uploadLarge = async () => (large = await account.client.files.upload('large/file', () => streamOf(LARGE_MIB)));
  const upload = (path: string, content: string | Uint8Array<ArrayBuffer>) =>
    account.client.files.upload(path, new Blob([content]));
  const download = (id: string, headers: Record<string, string> = {}, method = 'GET', signal?: AbortSignal) =>
    checkedFetch(`${system.url}/api/storage/files/${id}/download`, {
      method,
      headers: { authorization: `Bearer ${account.access}`, ...headers },
      ...(signal && { signal }),
    });
  const listUnfinishedUploads = () =>
    ['objects/tmp', 'objects/cache/tmp']
      .map((name) => join(system.folder, name))
      .flatMap((path) => (existsSync(path) ? readdirSync(path) : []));
  const startMeasuring = () => watchMemory(Object.fromEntries(PROCESSES.map((name) => [name, system.pidOf(name)])));
  const expectNoGrowth = (growth: Record<string, number>) => {
    expect(Object.keys(growth)).toEqual(PROCESSES);
    expect(Object.entries(growth).filter(([, mib]) => mib > MAX_GROWTH_MIB)).toEqual([]);
  };

  it('are streamed in both directions, so no process grows with their size', async () => {
    const warm = await account.client.files.upload('large/warm', () => streamOf(32));
    await (await download(warm.id)).body?.pipeTo(new WritableStream());
    const measureGrowth = startMeasuring();
    const file = await uploadLarge();
    expect(file.size).toBe(LARGE_MIB * MIB);
    const sum = createHash('sha256');
    const response = await download(file.id);
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) sum.update(piece);
    expect(sum.digest('hex')).toBe(file.sha256);
    expectNoGrowth(measureGrowth());
  });

  it('are read at the speed of the client, and no longer after it disconnects', async () => {
    const file = large ?? (await uploadLarge());
    const measureGrowth = startMeasuring();
    const stop = new AbortController();
    const reader = (await download(file.id, {}, 'GET', stop.signal)).body?.getReader();
    await reader?.read();
    await sleep(1_500);
    expectNoGrowth(measureGrowth());
    const reading = () => countOpenFiles(system.pidOf('gateway'), file.sha256);
    if (place.includes('disk')) expect(reading()).toBe(1);
    stop.abort();
    await eventually(() => expect(reading()).toBe(0));
  });

  it('leave nothing behind if their upload is interrupted', async () => {
    const before = await upload('half', 'whole');
    const { sending } = rawUpload(system.url, account, 'half');
    sending.on('error', () => undefined);
    sending.write(randomBytes(3 * MIB));
    await eventually(() => expect(listUnfinishedUploads()).toHaveLength(1));
    sending.destroy();
    await eventually(() => expect(listUnfinishedUploads()).toEqual([]));
    expect(await (await download(before.id)).text()).toBe('whole');
  });

  it('beyond the quota are rejected during the upload', async () => {
    await account.client.call(storage.deleteFolder, { query: { path: 'large' } });
    const filler = await account.client.files.upload('large/most', () => streamOf(QUOTA_MIB - 40));
    const before = await upload('over', 'old');
    const { sending, response } = rawUpload(system.url, account, 'over');
    sending.on('error', () => undefined);
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += MIB;
          yield Buffer.alloc(MIB);
        }
      })(),
    );
    endless.pipe(sending);
    const rejected = await response;
    expect(rejected.status).toBe(413);
    expect(rejected.body).toMatchObject({ code: 'payload_too_large', details: { quota_bytes: QUOTA_MIB * MIB } });
    expect(sent).toBeGreaterThan(39 * MIB);
    await new Promise((resolve) => sending.once('close', resolve));
    endless.destroy();
    expect(listUnfinishedUploads()).toEqual([]);
    expect(await (await download(before.id)).text()).toBe('old');
    const usage = await account.client.call(storage.getStorageUsage);
    expect(usage).toMatchObject({ quota_bytes: QUOTA_MIB * MIB });
    expect(usage.used_bytes).toBeLessThan(QUOTA_MIB * MIB);
    await account.client.call(storage.deleteFile, { params: { id: filler.id } });
  });

  it('with a forbidden path are rejected before any of their content is read', async () => {
    await account.client.call(storage.createFolder, { body: { path: 'taken' } });
    const { sending, response } = rawUpload(system.url, account, 'taken');
    sending.on('error', () => undefined);
    sending.write(randomBytes(1_000));
    expect(await response).toMatchObject({
      status: 400,
      body: { details: { 'body.path': 'must not be a folder ("taken" is one)' } },
    });
    sending.destroy();
  });

  it('that are replaced during a download keep their old content for this download', async () => {
    const before = await account.client.files.upload('large/replaced', () => streamOf(64));
    const reader = (await download(before.id)).body?.getReader();
    const sum = createHash('sha256');
    sum.update((await reader?.read())?.value ?? '');
    const after = await upload('large/replaced', 'new');
    expect(after).toMatchObject({ id: before.id, size: 3 });
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) sum.update(next.value);
    expect(sum.digest('hex')).toBe(before.sha256);
    expect(await (await download(before.id)).text()).toBe('new');
  });

  it('that are uploaded to one path concurrently become one record with the content of one of them', async () => {
    const contents = Array.from({ length: 6 }, () => randomBytes(100_000));
    const files = await Promise.all(contents.map((content) => upload('large/raced', content)));
    expect(new Set(files.map(({ id }) => id)).size).toBe(1);
    const id = files[0]?.id ?? '';
    const stored = Buffer.from(await (await download(id)).arrayBuffer());
    expect(contents.map(hashOf)).toContain(hashOf(stored));
    const record = await account.client.call(storage.getFile, { params: { id } });
    expect([record.sha256, record.size]).toEqual([hashOf(stored), stored.length]);
  });

  it('can be inputs and outputs of a run', async () => {
    const bytes = randomBytes(9 * MIB);
    await upload('in/data.bin', bytes);
    const { id } = await runToEnd(
      account,
      {
        nodes: {
          'sum-1': script('sha256sum < in/http-input-1/data.bin | cut -c1-64; cat in/http-input-1/data.bin > out/copy'),
          'again-1': script('sha256sum < in/sum-1/copy | cut -c1-64; env'),
        },
        inputs: { 'http-input-1': { type: 'FILE', label: 'data' } },
        edges: [
          ['http-input-1/output', 'sum-1/file'],
          ['sum-1/folder', 'again-1/folder'],
        ],
      },
      { data: 'millrace://file/in/data.bin' },
    );
    expect(await readFilePort(account.client, id, 'sum-1')).toBe(`${hashOf(bytes)}\n`);
    const again = await readFilePort(account.client, id, 'again-1');
    expect(again.split('\n')[0]).toBe(hashOf(bytes));
    expect(again).not.toMatch(/AWS_|S3RVER|STORAGE/);
    const copy = (await listOutputs(account.client, id, 'sum-1')).find(({ name }) => name === 'copy');
    const part = await checkedFetch(`${system.url}/api/outputs/${copy?.id}/download`, {
      headers: { authorization: `Bearer ${account.access}`, range: 'bytes=5000000-5999999' },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5_000_000, 6_000_000))).toBe(true);
  });

  describe('in conditional and range requests', () => {
    const text = '0123456789';
    const etag = `"${hashOf(Buffer.from(text))}"`;
    let id: string;
    beforeAll(async () => void (id = (await upload('ranges', text)).id));

    it.each([
      [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'BYTES=2-4' }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'bytes=0-0' }, 206, '0', 'bytes 0-0/10'],
      [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
      [{ range: 'bytes=-99' }, 206, text, 'bytes 0-9/10'],
      [{ range: 'bytes=8-' }, 206, '89', 'bytes 8-9/10'],
      [{ range: 'bytes=2-4,6-7' }, 200, text, null],
      [{ range: 'bytes=4-2' }, 200, text, null],
      [{ range: 'bytes=2-4', 'if-range': etag }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'bytes=2-4', 'if-range': `W/${etag}` }, 200, text, null],
      [{ range: 'bytes=2-4', 'if-range': '"other"' }, 200, text, null],
      [{ range: 'bytes=2-4', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 200, text, null],
      [{ 'if-none-match': etag }, 304, '', null],
      [{ 'if-none-match': `"x", W/${etag}` }, 304, '', null],
      [{ 'if-none-match': '*' }, 304, '', null],
      [{ 'if-none-match': '"x"' }, 200, text, null],
    ])('are returned for %j with %d %j', async (headers, status, body, range) => {
      const response = await download(id, headers);
      expect([response.status, await response.text()]).toEqual([status, body]);
      expect([response.headers.get('etag'), response.headers.get('content-range')]).toEqual([etag, range]);
    });

    it.each(['bytes=10-', 'bytes=-0', 'bytes=99999999999999999999-'])(
      'are not returned for the range %s, which is beyond their end',
      async (range) => {
        const response = await download(id, { range });
        expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10']);
      },
    );

    it('are described by HEAD as by GET, without the content', async () => {
      const response = await download(id, {}, 'HEAD');
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '10', '']);
    });
  });

  it('cause an error without internals if their content is lost', async () => {
    const { id, sha256 } = await upload('lost', `lost ${place}`);
    const folder = place.includes('disk') ? join(system.folder, 'objects') : s3.folder;
    const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
      name.includes(`${sha256.slice(0, 2)}/${sha256.slice(2)}`),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
    const response = await download(id);
    const body = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(body)).toEqual({
      code: 'internal_error',
      message: expect.any(String),
      details: { request_id: expect.any(String) },
    });
    expect(body).not.toContain(sha256);
  });
});

/** Starts an upload whose body the test writes itself. */
function rawUpload(url: string, account: Account, path: string) {
  const sending = httpRequest(`${url}/api/storage/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.access}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  sending.write(`--b\r\ncontent-disposition: form-data; name="path"\r\n\r\n${path}\r\n`);
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n');
  const response = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (message: IncomingMessage) => {
      void buffer(message).then(
        (body) => resolve({ status: message.statusCode ?? 0, body: JSON.parse(body.toString()) as unknown }),
        reject,
      );
    });
  });
  response.catch(() => undefined);
  return { sending, response };
}

/** The number of a process's open files that are the object with this hash. */
function countOpenFiles(pid: number, sha256: string): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).endsWith(sha256.slice(2));
    } catch {
      return false;
    }
  }).length;
}
