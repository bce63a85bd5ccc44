import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listDataExtents } from './data-extents.js';
import { DiskStore } from './disk-store.js';
import { hashDescriptor } from './read-pieces.js';

const MIB = 1024 * 1024;
const SIZE = 24 * MIB + 17;

let folder: string;
let store: DiskStore;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'millrace-sparse-'));
  store = new DiskStore(join(folder, 'objects'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Creates a file of 24 MiB and 17 bytes, with `written` as data by offset and holes between. */
function makeSparse(name: string, written: Record<number, string>): string {
  const path = join(folder, name);
  const descriptor = fs.openSync(path, 'wx');
  for (const [at, text] of Object.entries(written)) fs.writeSync(descriptor, text, Number(at));
  fs.ftruncateSync(descriptor, SIZE);
  fs.closeSync(descriptor);
  return path;
}

const hashOf = (path: string) => createHash('sha256').update(fs.readFileSync(path)).digest('hex');
const diskBytes = (path: string) => fs.statSync(path).blocks * 512;

function open<T>(path: string, use: (descriptor: number) => Promise<T>): Promise<T> {
  const descriptor = fs.openSync(path, 'r');
  return use(descriptor).finally(() => fs.closeSync(descriptor));
}

const LAYOUTS: [string, Record<number, string>][] = [
  ['nothing but a hole', {}],
  ['data at its beginning', { 0: 'begin' }],
  ['data at its end', { [SIZE - 3]: 'end' }],
  ['data in its middle, more than once', { [4 * MIB]: 'one', [20 * MIB + 5]: 'two' }],
];

describe.each(LAYOUTS)('a sparse file with %s', (_, written) => {
  it('has the hash of its content', async () => {
    const path = makeSparse('f', written);
    expect(await open(path, hashDescriptor)).toBe(hashOf(path));
  });

  it('has extents that contain its data and at most a block around it', async () => {
    const extents = await open(makeSparse('f', written), listDataExtents);
    const bytes = extents.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(bytes).toBeLessThanOrEqual(Object.keys(written).length * 64 * 1024);
    for (const at of Object.keys(written).map(Number)) {
      expect(extents.some(({ start, end }) => start <= at && at < end)).toBe(true);
    }
  });

  it.each(['is moved', 'has another name', 'is left in place'])(
    'keeps its holes when it is stored and %s',
    async (how) => {
      const path = makeSparse('f', written);
      const expected = hashOf(path);
      if (how === 'has another name') fs.linkSync(path, join(folder, 'other'));
      const { sha256, size } = await store.adopt(path, { keep: how === 'is left in place' });
      expect({ sha256, size }).toEqual({ sha256: expected, size: SIZE });
      expect([hashOf(store.pathOf(sha256)), fs.existsSync(path)]).toEqual([expected, how === 'is left in place']);
      expect(diskBytes(store.pathOf(sha256))).toBeLessThan(MIB);
    },
  );

  it('keeps its holes in a private copy', async () => {
    const { sha256 } = await store.adopt(makeSparse('f', written));
    const copy = join(folder, 'copy');
    await store.link(sha256, copy, { copy: true });
    expect([hashOf(copy), diskBytes(copy) < MIB]).toEqual([sha256, true]);
  });
});

it('listDataExtents returns one extent for a file without holes and none for an empty file', async () => {
  const [full, empty] = ['full', 'empty'].map((name) => join(folder, name)) as [string, string];
  fs.writeFileSync(full, Buffer.alloc(20 * MIB, 'x'));
  fs.writeFileSync(empty, '');
  expect(await open(full, listDataExtents)).toEqual([{ start: 0, end: 20 * MIB }]);
  expect(await open(empty, listDataExtents)).toEqual([]);
});

it('hashDescriptor stops within a hole if its signal aborts', async () => {
  const path = makeSparse('f', {});
  fs.truncateSync(path, 2 ** 42);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  await expect(open(path, (descriptor) => hashDescriptor(descriptor, stop.signal))).rejects.toThrow('stopped');
});
