import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NotARegularFileError, ObjectMissingError, type ObjectStore } from './object-store.js';
import { openStore } from './open-store.js';
import { storageEnv } from './settings/storage-env.js';
import { startS3, type TestS3 } from './testing/start-s3.js';

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const UNKNOWN = '0'.repeat(64);

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

let s3: TestS3;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.close());

let folder: string;
let prefixes = 0;
beforeEach(() => void (folder = fs.mkdtempSync(join(tmpdir(), 'millrace-store-'))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const atS3 = () => ({ STORAGE_URL: s3.url.replace('?', `/test${++prefixes}?`), ...s3.credentials });

/** Behaviour that every store must have. */
describe.each([
  ['on the local disk', () => ({})],
  ['at an S3-compatible server', atS3],
])('an object store %s', (_name, settings) => {
  let store: ObjectStore;
  beforeEach(() => {
    store = openStore(storageEnv.parse({ STORAGE_DIR: join(folder, 'objects'), ...settings() }));
  });

  const write = (name: string, content: string | Buffer) => {
    fs.writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const unfinished = () =>
    ['objects/tmp', 'objects/cache/tmp'].flatMap((name) => {
      const path = join(folder, name);
      return fs.existsSync(path) ? fs.readdirSync(path) : [];
    });

  describe.each([
    ['small', Buffer.from('hello\n')],
    ['empty', Buffer.alloc(0)],
    ['large', Buffer.alloc(3_000_000, 'abc\n')],
    ['larger than one part', randomBytes(18 * 2 ** 20)],
  ])('%s content', (_size, content) => {
    const object = { sha256: hashOf(content), size: content.length };

    it('is announced before it is stored, and not stored if the announcement fails', async () => {
      const existedAtAnnouncement: boolean[] = [];
      const announce = async ({ sha256, size }: { sha256: string; size: number }) => {
        expect({ sha256, size }).toEqual(object);
        existedAtAnnouncement.push(await store.has(sha256));
      };
      await store.put(Readable.from([content]), { announce, durable: true });
      expect(existedAtAnnouncement).toEqual([false]);
      expect(await store.has(object.sha256)).toBe(true);
      await store.remove(object.sha256);
      const refuse = () => Promise.reject(new Error('no longer allowed'));
      await expect(store.put(Readable.from([content]), { announce: refuse })).rejects.toThrow('no longer allowed');
      expect(await store.has(object.sha256)).toBe(false);
      expect(unfinished()).toEqual([]);
    });

    it('is read back unmodified, whether put as bytes, a stream or a file', async () => {
      const stream = Readable.from([content.subarray(0, 3), content.subarray(3)]);
      for (const put of [() => store.put(content), () => store.put(stream), () => store.adopt(write('a', content))]) {
        expect(await put()).toEqual(object);
        expect(content.equals(await store.readAll(object.sha256))).toBe(true);
        await store.remove(object.sha256);
        expect(await store.has(object.sha256)).toBe(false);
      }
      expect(await store.adopt(write('a', content))).toEqual(object);
      expect(fs.existsSync(join(folder, 'a'))).toBe(false);
      expect(content.equals(Buffer.concat(await store.read(object.sha256).toArray()))).toBe(true);
      expect(unfinished()).toEqual([]);
    });

    it('can be put durably, and by many callers at once', async () => {
      const puts = Array.from({ length: 4 }, (_value, index) => store.put(content, { durable: index === 3 }));
      expect(new Set((await Promise.all(puts)).map(({ sha256 }) => sha256))).toEqual(new Set([object.sha256]));
      expect(await store.size(object.sha256)).toBe(content.length);
      expect(unfinished()).toEqual([]);
    });

    it('can be linked and copied by many callers at once', async () => {
      await store.put(content);
      const names = Array.from({ length: 6 }, (_value, index) => join(folder, `name${index}`));
      await Promise.all(names.map((name, index) => store.link(object.sha256, name, { copy: index % 2 === 0 })));
      for (const name of names) expect(content.equals(fs.readFileSync(name))).toBe(true);
      fs.appendFileSync(join(folder, 'name0'), ' changed');
      expect(content.equals(await store.readAll(object.sha256))).toBe(true);
      expect(content.equals(fs.readFileSync(join(folder, 'name1')))).toBe(true);
      expect(unfinished()).toEqual([]);
    });
  });

  describe('a read', () => {
    it('returns a range, both ends inclusive', async () => {
      const { sha256 } = await store.put(Buffer.from('0123456789'));
      expect((await store.readAll(sha256, { start: 2, end: 4 })).toString()).toBe('234');
      expect((await store.readAll(sha256, { start: 8, end: 99 })).toString()).toBe('89');
      expect((await store.readAll(sha256, { start: 10, end: 20 })).toString()).toBe('');
      expect(Buffer.concat(await store.read(sha256, { start: 7 }).toArray()).toString()).toBe('789');
      expect(Buffer.concat(await store.read(sha256, { start: 0, end: 0 }).toArray()).toString()).toBe('0');
    });

    it('rejects a missing object', async () => {
      await expect(store.readAll(UNKNOWN)).rejects.toThrow(ObjectMissingError);
      await expect(store.read(UNKNOWN).toArray()).rejects.toThrow(ObjectMissingError);
      await expect(store.link(UNKNOWN, join(folder, 'x'))).rejects.toThrow(ObjectMissingError);
      await expect(store.link(UNKNOWN, join(folder, 'x'), { copy: true })).rejects.toThrow(ObjectMissingError);
      expect(await store.has(UNKNOWN)).toBe(false);
      expect(unfinished()).toEqual([]);
    });

    it('rejects a path as a hash', async () => {
      await expect(store.readAll('../../../../etc/passwd')).rejects.toThrow(ObjectMissingError);
    });
  });

  describe('a linked object', () => {
    it('does not replace an existing file', async () => {
      const { sha256 } = await store.put(Buffer.from('content'));
      const target = write('existing', 'mine');
      for (const copy of [false, true])
        await expect(store.link(sha256, target, { copy })).rejects.toMatchObject({ code: 'EEXIST' });
      expect(fs.readFileSync(target, 'utf8')).toBe('mine');
    });

    it('remains when the object is removed', async () => {
      const { sha256 } = await store.put(Buffer.from('content'));
      await store.link(sha256, join(folder, 'linked'));
      await store.remove(sha256);
      await store.remove(sha256);
      expect(await store.has(sha256)).toBe(false);
      expect(fs.readFileSync(join(folder, 'linked'), 'utf8')).toBe('content');
      await expect(store.link(sha256, join(folder, 'again'))).rejects.toThrow(ObjectMissingError);
    });
  });

  describe('adopting a file', () => {
    it('rejects links, folders and pipes, and leaves them in place', async () => {
      const secret = write('secret', 'x');
      fs.symlinkSync(secret, join(folder, 'link'));
      for (const name of ['link', 'objects'])
        await expect(store.adopt(join(folder, name))).rejects.toThrow(NotARegularFileError);
      expect(fs.readFileSync(secret, 'utf8')).toBe('x');
    });

    it('copies a file with a second hard link, so that the other link cannot change the object', async () => {
      const path = write('a', 'before');
      fs.linkSync(path, join(folder, 'b'));
      const { sha256 } = await store.adopt(path);
      fs.writeFileSync(join(folder, 'b'), 'after!');
      expect((await store.readAll(sha256)).toString()).toBe('before');
      await store.link(sha256, join(folder, 'c'));
      expect(fs.readFileSync(join(folder, 'c'), 'utf8')).toBe('before');
      expect(fs.existsSync(path)).toBe(false);
    });
  });

  it('lists the objects whose hashes start with two digits, and when they were stored', async () => {
    const before = Date.now() - 2_000;
    const stored = [];
    for (let index = 0; index < 300; index += 1) stored.push(await store.put(Buffer.from(`content ${index}`)));
    const digits = stored[0]?.sha256.slice(0, 2) ?? '';
    const listed = (await collect(store.list(digits))).flat();
    const expected = stored.filter(({ sha256 }) => sha256.startsWith(digits));
    const bySha = (objects: { sha256: string; size: number }[]) =>
      objects.map(({ sha256, size }) => `${sha256} ${size}`).sort();
    expect(bySha(listed)).toEqual(bySha(expected));
    for (const { storedAt } of listed) expect(storedAt.getTime()).toBeGreaterThan(before);
  });

  it('lists nothing if no hash starts with the digits', async () => {
    expect((await collect(store.list('ab'))).flat()).toEqual([]);
  });

  it('leaves nothing behind if a stream fails', async () => {
    const failing = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('connection lost');
      })(),
    );
    await expect(store.put(failing)).rejects.toThrow('connection lost');
    expect(unfinished()).toEqual([]);
  });
});
