import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskStore } from './disk-store.js';
import { NotARegularFile, ObjectMissing } from './object-store.js';

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const UNKNOWN = '0'.repeat(64);

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

describe.each([
  ['small', Buffer.from('hello\n')],
  ['empty', Buffer.alloc(0)],
  ['large', Buffer.alloc(3_000_000, 'abc\n')],
])('%s content', (_, content) => {
  const object = { sha256: hashOf(content), size: content.length };

  it('comes back as it was put, from bytes, a stream or a file', async () => {
    expect(await store.put(content)).toEqual(object);
    expect(await store.put(Readable.from([content.subarray(0, 3), content.subarray(3)]))).toEqual(object);
    expect(await store.adopt(write('a', content))).toEqual(object);
    expect(content.equals(await store.readAll(object.sha256))).toBe(true);
    expect(content.equals(Buffer.concat(await store.read(object.sha256).toArray()))).toBe(true);
    expect(temporaryFiles()).toEqual([]);
  });

  it('is taken over without a copy, and gone from where it was', async () => {
    const path = write('a', content);
    const { ino } = fs.statSync(path);
    await store.adopt(path);
    expect(fs.existsSync(path)).toBe(false);
    expect(fs.statSync(store.pathOf(object.sha256))).toMatchObject({ ino, mode: 0o100444 });
  });

  it('survives durable puts, and being put by many at once', async () => {
    const puts = Array.from({ length: 6 }, (_value, index) => store.put(content, { durable: index === 3 }));
    expect(new Set((await Promise.all(puts)).map((one) => one.sha256))).toEqual(new Set([object.sha256]));
    expect(await store.size(object.sha256)).toBe(content.length);
    expect(temporaryFiles()).toEqual([]);
  });
});

describe('content that is stored already', () => {
  it('stays the file that it was, whoever brings it again', async () => {
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
});

describe('reading', () => {
  it('gives a range, both ends included', async () => {
    const { sha256 } = await store.put(Buffer.from('0123456789'));
    expect((await store.readAll(sha256, { start: 2, end: 4 })).toString()).toBe('234');
    expect((await store.readAll(sha256, { start: 8, end: 99 })).toString()).toBe('89');
    expect(Buffer.concat(await store.read(sha256, { start: 7 }).toArray()).toString()).toBe('789');
  });

  it('of what is not there says which object is missing', async () => {
    await expect(store.readAll(UNKNOWN)).rejects.toThrow(ObjectMissing);
    await expect(store.read(UNKNOWN).toArray()).rejects.toThrow(ObjectMissing);
    await expect(store.link(UNKNOWN, join(folder, 'x'))).rejects.toThrow(ObjectMissing);
    await expect(store.link(UNKNOWN, join(folder, 'x'), { copy: true })).rejects.toThrow(ObjectMissing);
    expect(await store.has(UNKNOWN)).toBe(false);
  });

  it('refuses a hash that is a path', async () => {
    await expect(store.readAll('../../../../etc/passwd')).rejects.toThrow(ObjectMissing);
  });
});

describe('a linked object', () => {
  it('shares the stored bytes, or is a private copy that can be written', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    await store.link(sha256, join(folder, 'shared'));
    await store.link(sha256, join(folder, 'copied'), { copy: true });
    expect(fs.statSync(join(folder, 'shared')).ino).toBe(fs.statSync(store.pathOf(sha256)).ino);
    fs.appendFileSync(join(folder, 'copied'), ' changed');
    expect((await store.readAll(sha256)).toString()).toBe('content');
  });

  it('is not put over what is there already', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    const target = write('taken', 'mine');
    for (const copy of [false, true])
      await expect(store.link(sha256, target, { copy })).rejects.toMatchObject({ code: 'EEXIST' });
    expect(fs.readFileSync(target, 'utf8')).toBe('mine');
  });

  it('stays when the object is removed', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    await store.link(sha256, join(folder, 'kept'));
    await store.remove(sha256);
    await store.remove(sha256);
    expect(await store.has(sha256)).toBe(false);
    expect(fs.readFileSync(join(folder, 'kept'), 'utf8')).toBe('content');
  });
});

describe('taking over', () => {
  it('refuses links, folders and pipes, and leaves what they lead to', async () => {
    const secret = write('secret', 'x');
    fs.symlinkSync(secret, join(folder, 'link'));
    for (const name of ['link', 'objects'])
      await expect(store.adopt(join(folder, name))).rejects.toThrow(NotARegularFile);
    expect(fs.readFileSync(secret, 'utf8')).toBe('x');
  });

  it('of a file with a second name copies it, so that the other name cannot change the object', async () => {
    const path = write('a', 'before');
    fs.linkSync(path, join(folder, 'b'));
    const { sha256 } = await store.adopt(path);
    fs.writeFileSync(join(folder, 'b'), 'after!');
    expect((await store.readAll(sha256)).toString()).toBe('before');
    expect(fs.existsSync(path)).toBe(false);
  });

  it('mends an object that a power failure cut short', async () => {
    const { sha256 } = await store.put(Buffer.from('content'));
    fs.chmodSync(store.pathOf(sha256), 0o600);
    fs.truncateSync(store.pathOf(sha256), 0);
    await store.put(Buffer.from('content'));
    expect((await store.readAll(sha256)).toString()).toBe('content');
  });
});

it('a stream that fails leaves nothing behind', async () => {
  const failing = Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('connection lost');
    })(),
  );
  await expect(store.put(failing)).rejects.toThrow('connection lost');
  expect(temporaryFiles()).toEqual([]);
});
