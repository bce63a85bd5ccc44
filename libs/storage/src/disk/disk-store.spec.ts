import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskStore } from './disk-store.js';

let folder: string;
let store: DiskStore;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'millrace-store-'));
  store = new DiskStore(join(folder, 'objects'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer) => {
  fs.writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const temporaryFiles = () => fs.readdirSync(join(folder, 'objects/tmp'));

describe('content on the local disk', () => {
  it('is adopted by moving the file, without a copy', async () => {
    const path = write('a', 'content');
    const { ino } = fs.statSync(path);
    const { sha256 } = await store.adopt(path);
    expect(fs.existsSync(path)).toBe(false);
    expect(fs.statSync(store.pathOf(sha256))).toMatchObject({ ino, mode: 0o100444 });
  });

  it('remains the same file if it is put again', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    const { ino } = fs.statSync(store.pathOf(sha256));
    await store.put(Buffer.from('content'), { durable: true });
    await store.adopt(write('a', 'content'));
    fs.linkSync(write('b', 'content'), join(folder, 'c'));
    await store.adopt(join(folder, 'c'));
    expect(fs.statSync(store.pathOf(sha256)).ino).toBe(ino);
    expect(['a', 'c', 'objects/tmp'].map((name) => fs.existsSync(join(folder, name)))).toEqual([false, false, true]);
    expect(temporaryFiles()).toEqual([]);
  });

  it('is shared with its links', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    await store.link(sha256, join(folder, 'shared'));
    expect(fs.statSync(join(folder, 'shared')).ino).toBe(fs.statSync(store.pathOf(sha256)).ino);
  });

  it('is repaired if a power failure truncated it', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    fs.chmodSync(store.pathOf(sha256), 0o600);
    fs.truncateSync(store.pathOf(sha256), 0);
    await store.put(Buffer.from('content'));
    expect((await store.readAll(sha256)).toString()).toBe('content');
  });
});

it('DiskStore deletes unfinished files of killed processes after a day', () => {
  const [old, young] = ['objects/tmp/old', 'objects/tmp/young'].map((name) => write(name, 'half')) as [string, string];
  const before = new Date(Date.now() - 25 * 60 * 60_000);
  fs.utimesSync(old, before, before);
  new DiskStore(join(folder, 'objects'));
  expect([fs.existsSync(old), fs.existsSync(young)]).toEqual([false, true]);
});

it('DiskStore gives all files to the owner of the folder, so that services of that user can read and delete them', async () => {
  // Only root can give files away; another user's are its own.
  const owner = process.getuid?.() === 0 ? 1234 : (process.getuid?.() ?? -1);
  const shared = join(folder, 'shared');
  fs.mkdirSync(shared);
  fs.chownSync(shared, owner, owner);
  const other = new DiskStore(shared);
  const { sha256: put } = await other.put(Buffer.from('put'));
  const { sha256: adopted } = await other.adopt(write('a', 'adopted'));
  const made = [put, adopted].map((sha256) => other.pathOf(sha256));
  const paths = [join(shared, 'tmp'), ...made, ...made.map((path) => dirname(path))];
  expect(paths.map((path) => fs.statSync(path).uid)).toEqual(paths.map(() => owner));
});

it('DiskStore lists a large folder in pages, without files that are not objects', async () => {
  fs.mkdirSync(join(folder, 'objects/ab'));
  const names = Array.from({ length: 2_100 }, (_value, index) => index.toString(16).padStart(62, '0'));
  for (const name of [...names, 'other']) fs.writeFileSync(join(folder, 'objects/ab', name), 'x');
  const pages = [];
  for await (const page of store.list('ab')) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 100]);
  expect(new Set(pages.flat().map(({ sha256 }) => sha256))).toEqual(new Set(names.map((name) => `ab${name}`)));
});

it('DiskStore takes the time of storing for the time of a file that is older', async () => {
  const path = write('old', 'content');
  fs.utimesSync(path, new Date(0), new Date(0));
  const { sha256 } = await store.adopt(path);
  for await (const [object] of store.list(sha256.slice(0, 2))) {
    expect(object?.storedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  }
});
