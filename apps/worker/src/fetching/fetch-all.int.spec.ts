import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { AllowList } from '@millrace/egress/addresses/allow-list';
import { EgressClient } from '@millrace/egress/requests/egress-client';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { serveHttp } from '@millrace/testkit/serve-http';
import { type ServedRepository, serveRepository } from '@millrace/testkit/serve-repository';
import { readFileSet } from '../inputs/file-sets.js';
import { fetchAll } from './fetch-all.js';
import type { FetchTools } from './fetch-file.js';
import { MAX_UNSAVED_BYTES } from './watch-download-size.js';

const folder = mkdtempSync(join(tmpdir(), 'fetch-'));
const scratch = join(folder, 'scratch');
mkdirSync(scratch);
const store = new DiskStore(join(folder, 'store'));
let repository: ServedRepository;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  repository = await serveRepository((into) => {
    writeFileSync(join(into, 'readme.txt'), 'first\n');
    mkdirSync(join(into, 'lists'));
    writeFileSync(join(into, 'lists', 'ü.txt'), 'words\n');
    symlinkSync('../readme.txt', join(into, 'lists', 'inside'));
    symlinkSync('/etc/passwd', join(into, 'lists', 'outside'));
    writeFileSync(join(into, '.gitattributes'), '*.txt filter=evil\n');
  });
  repository.git('branch', 'release/1.0');
  repository.git('tag', 'v1');
  writeFileSync(join(repository.folder, 'readme.txt'), 'second\n');
  repository.git('commit', '-qam', 'second');
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  expect(readdirSync(scratch)).toEqual([]);
  expect(readdirSync(join(folder, 'store', 'tmp'))).toEqual([]);
});
afterAll(async () => {
  await repository.close();
  rmSync(folder, { recursive: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = await serveHttp(listener);
  ends.push(() => server.close());
  return server.url;
}

type Fetches = Parameters<typeof fetchAll>[0];

async function fetch(fetches: Fetches, more: Partial<FetchTools> & { allow?: string } = {}) {
  const { allow = '127.0.0.1', ...bounds } = more;
  const allowed = AllowList.read(allow);
  const outside = new EgressClient(allowed);
  ends.push(() => outside.close());
  const { signal } = new AbortController();
  const tools = { store, outside, allowed, scratch, maxBytes: 1_000_000, timeoutMs: 20_000, signal, ...bounds };
  return fetchAll(fetches, tools, { attempts: 3, waitMs: 1 });
}

function* endless(chunk: Buffer) {
  for (;;) yield chunk;
}

const file = (url: string, primitive = 'a') => ({ primitive, type: 'FILE' as const, url });
const git = (url: string) => [{ primitive: 'g', type: 'FOLDER' as const, url }];

async function read(value: InputValue | undefined): Promise<Record<string, string>> {
  if (typeof value !== 'object') return {};
  const files = 'folder' in value ? await readFileSet(value.folder, store) : [value];
  const texts = files.map(async ({ path, sha256 }) => [path, (await store.readAll(sha256)).toString()] as const);
  return Object.fromEntries(await Promise.all(texts));
}

describe('files by URL', () => {
  it('are fetched once even if several inputs name them', async () => {
    let requests = 0;
    const url = await serve(({ url: path }, response) => response.end(`${path} ${++requests}`));
    const { inputs, problems } = await fetch([file(`${url}/x.txt`, 'a'), file(`${url}/x.txt`, 'b')]);
    expect(problems).toEqual([]);
    expect(inputs.map(({ primitive }) => primitive)).toEqual(['a', 'b']);
    expect(await read(inputs[0]?.value)).toEqual({ 'x.txt': '/x.txt 1' });
    expect(await read(inputs[1]?.value)).toEqual({ 'x.txt': '/x.txt 1' });
  });

  it.each([
    [404, 1],
    [401, 1],
    [204, 1],
    [503, 3],
    [429, 3],
  ])('with the response status %s are requested %s times', async (status, times) => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests++;
      response.writeHead(status, { 'retry-after': '0' }).end();
    });
    const { inputs, problems } = await fetch([file(`${url.replace('//', '//me:hunter2@')}/x?token=s3cret`)]);
    expect([inputs, requests]).toEqual([[], times]);
    expect(problems).toEqual([{ primitive: 'a', message: `${url}/x: the server responded with status ${status}` }]);
  });

  it('are fetched if the second attempt succeeds', async () => {
    let requests = 0;
    const url = await serve((request, response) => (requests++ === 0 ? request.socket.destroy() : response.end('y')));
    expect(await read((await fetch([file(`${url}/x`)])).inputs[0]?.value)).toEqual({ x: 'y' });
  });

  it('leave nothing behind if they are too large', async () => {
    const url = await serve((_request, response) => response.write('x'.repeat(2_000_000)));
    const { problems } = await fetch([file(`${url}/x`)]);
    expect(problems[0]?.message).toBe(`${url}/x: it is larger than 1000000 bytes`);
  });

  it('are refused if they are on this machine', async () => {
    const url = await serve((_request, response) => response.end('secret'));
    const { problems } = await fetch([file(`${url}/x`)], { allow: '' });
    expect(problems[0]?.message).toContain('not an address of the public internet');
  });

  it('are no longer fetched after the run is stopped', async () => {
    const stop = new AbortController();
    const url = await serve((_request, response) => {
      response.write('x');
      stop.abort(new Error('stopped'));
    });
    await expect(fetch([file(`${url}/x`)], { signal: stop.signal })).rejects.toThrow('stopped');
  });
});

describe('a repository by URL', () => {
  const first = { 'lists/inside': 'first\n', 'lists/ü.txt': 'words\n', 'readme.txt': 'first\n' };
  const hidden = { '.gitattributes': '*.txt filter=evil\n' };

  it.each([
    ['', 'second\n'],
    ['#main', 'second\n'],
    ['#release/1.0', 'first\n'],
    ['#v1', 'first\n'],
  ])('is fetched without its history and links that lead out of it (%s)', async (revision, readme) => {
    for (const url of [repository.url, repository.plainUrl]) {
      const { inputs, problems } = await fetch(git(`${url}${revision}`));
      expect(problems).toEqual([]);
      const expected = { ...hidden, ...first, 'lists/inside': readme, 'readme.txt': readme };
      expect(await read(inputs[0]?.value)).toEqual(expected);
    }
  });

  it('is fetched at a commit', async () => {
    for (const url of [repository.url, repository.plainUrl]) {
      const { inputs, problems } = await fetch(git(`${url}#${repository.commit}`));
      expect(problems).toEqual([]);
      expect(await read(inputs[0]?.value)).toEqual({ ...hidden, ...first });
    }
  });

  it('gets the credentials of its URL, which no message contains', async () => {
    const url = repository.url.replace('//', '//me:hunter2@');
    expect((await fetch(git(url))).problems).toEqual([]);
    expect([...repository.authorizations]).toContain(`Basic ${Buffer.from('me:hunter2').toString('base64')}`);
    const { problems } = await fetch(git(`${url}#none`));
    expect(problems[0]?.message).toBe(`${repository.url}: the repository has no such branch, tag or commit`);
  });

  it.each([
    ['does not exist', (url: string) => `${url.replace('work.git', 'none/none.git')}`, /the repository does not exist/],
    ['has no such commit', (url: string) => `${url}#${'a'.repeat(40)}`, /no such branch, tag or commit/],
  ])('is reported as a problem if it %s', async (_case, change, message) => {
    expect((await fetch(git(change(repository.url)))).problems[0]?.message).toMatch(message);
  });

  it('is refused if it is on this machine, or a redirect leads there', async () => {
    const before = repository.authorizations.size;
    expect((await fetch(git(repository.url), { allow: '' })).problems[0]?.message).toContain('public internet');
    const front = await serve(({ url }, response) =>
      response.writeHead(302, { location: `${repository.url.replace('127.0.0.1', '127.0.0.2')}${url}` }).end(),
    );
    expect((await fetch(git(front), { allow: '127.0.0.1' })).problems[0]?.message).toBe(
      `${front}/: 127.0.0.2 is not an address of the public internet; the operator may allow it with EGRESS_ALLOW`,
    );
    expect(repository.authorizations.size).toBe(before);
  });

  it('is refused before its checkout if its files exceed the limit', async () => {
    const bomb = await serveRepository((into) => writeFileSync(join(into, 'zeros'), Buffer.alloc(3_000_000)));
    ends.push(() => bomb.close());
    expect((await fetch(git(bomb.url))).problems[0]?.message).toBe(`${bomb.url}: it is larger than 1000000 bytes`);
  });

  const chunk = Buffer.alloc(1_000_000, `${'1'.repeat(40)}\trefs/heads/x\n`);
  const packets = Buffer.from(`03f0${'1'.repeat(40)} refs/heads/`.padEnd(0x3ef, 'x').concat('\n').repeat(1000));
  it.each([
    ['served as plain files', '', 'text/plain', chunk],
    ['served by git', '001e# service=git-upload-pack\n0000', 'application/x-git-upload-pack-advertisement', packets],
  ])('is refused if its list of branches never ends, %s', async (_case, start, type, more) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': type }).write(start);
      Readable.from(endless(more)).pipe(response);
    });
    const small = await fetch(git(url), { maxBytes: 10_000_000 });
    expect(small.problems[0]?.message).toBe(`${url}/: it is larger than 10000000 bytes`);
    const large = await fetch(git(url), { maxBytes: 2 ** 40 });
    expect(large.problems[0]?.message).toBe(
      `${url}/: the server sent more than ${MAX_UNSAVED_BYTES} bytes that do not belong to a repository`,
    );
  });

  it('is refused if its compressed list of branches exceeds the memory of git', async () => {
    const start = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    const block = deflateRawSync(Buffer.concat(Array.from({ length: 50 }, () => chunk)), {
      finishFlush: constants.Z_FULL_FLUSH,
    });
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).write(start);
      Readable.from(endless(block)).pipe(response);
    });
    const { problems } = await fetch(git(url), { maxBytes: 2 ** 40, timeoutMs: 120_000 });
    expect(problems[0]?.message).toBe(`${url}/: git needs more memory for the repository than it may use`);
  });

  it('is reported as a problem if its host is unknown', async () => {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://none.invalid/x.git`;
      const { problems } = await fetch(git(url), { allow: '' });
      expect(problems[0]?.message).toMatch(/: the host (is not known|could not be looked up)$/);
    }
  });

  it('is fetched completely within the memory of git if it is large', async () => {
    const size = 120 * 2 ** 20;
    const large = await serveRepository((into) => {
      execFileSync('git', ['-C', into, 'config', 'core.compression', '0']);
      writeFileSync(join(into, 'a'), randomBytes(size));
    });
    ends.push(() => large.close());
    for (const url of [large.url, large.plainUrl]) {
      const { inputs, problems } = await fetch(git(url), { maxBytes: 2 ** 30, timeoutMs: 120_000 });
      expect(problems).toEqual([]);
      const value = inputs[0]?.value;
      const files = typeof value === 'object' && 'folder' in value ? await readFileSet(value.folder, store) : [];
      expect(files).toMatchObject([{ path: 'a', size }]);
    }
  });

  it('is refused before its files are read if links multiply their size beyond the limit', async () => {
    const many = await serveRepository((into) => {
      writeFileSync(join(into, 'f'), Buffer.alloc(400_000));
      for (let at = 0; at < 300; at++) symlinkSync('f', join(into, `l${at}`));
    });
    ends.push(() => many.close());
    const { problems } = await fetch(git(many.url));
    expect(problems[0]?.message).toBe(`${many.url}: the repository contains more than 1000000 bytes`);
  });

  it('is given up at the timeout if the server stops sending', async () => {
    const url = await serve((_request, response) => response.writeHead(200).write('x'));
    const { problems } = await fetch(git(url), { timeoutMs: 500 });
    expect(problems[0]?.message).toBe(`${url}/: it took too long`);
  });
});
