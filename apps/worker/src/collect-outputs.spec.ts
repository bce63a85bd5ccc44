import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DiskStore } from '@millrace/storage/disk-store';
import { collectOutputs, type Collecting } from './collect-outputs.js';

let folder: string;
let out: string;
let store: DiskStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collect-'));
  out = join(folder, 'out');
  mkdirSync(out);
  store = new DiskStore(join(folder, 'store'));
});
afterEach(() => {
  expect(readdirSync(join(folder, 'store', 'tmp'))).toEqual([]);
  rmSync(folder, { recursive: true });
});

const collect = (more: Partial<Collecting> = {}) =>
  collectOutputs(out, out, { store, maxBytes: 2 ** 30, signal: new AbortController().signal, ...more });

function sparse(name: string, size: number): void {
  writeFileSync(join(out, name), '');
  truncateSync(join(out, name), size);
}

describe('links to one file', () => {
  it('are read once, and are a file each', async () => {
    writeFileSync(join(out, 'f'), 'content');
    symlinkSync('f', join(out, 'a'));
    symlinkSync('a', join(out, 'b'));
    symlinkSync(join(out, 'f'), join(out, 'c'));
    const put = jest.spyOn(store, 'put');
    const { files, ignored } = await collect();
    expect(files.map(({ path, size }) => [path, size])).toEqual(['a', 'b', 'c', 'f'].map((path) => [path, 7]));
    expect([new Set(files.map(({ sha256 }) => sha256)).size, put.mock.calls.length, ignored]).toEqual([1, 1, 0]);
  });

  it('count each time, before anything is read', async () => {
    sparse('f', 2 ** 34);
    for (let at = 0; at < 60; at++) symlinkSync('f', join(out, `l${at}`));
    await expect(collect()).rejects.toThrow('out/ holds more than 1073741824 bytes');
  });
});

it('holes count as if something was in them', async () => {
  const make = () => ['a', 'b', 'c'].forEach((name) => sparse(name, 400));
  make();
  expect((await collect({ maxBytes: 1_200 })).files).toHaveLength(3);
  make();
  await expect(collect({ maxBytes: 1_199 })).rejects.toThrow('out/ holds more than 1199 bytes');
});

it.each(['file', 'link'])('ends in the middle of a large file at the signal: %s', async (kind) => {
  // More than could be read before the test gives up.
  sparse('f', 2 ** 40);
  if (kind === 'link') symlinkSync('f', join(out, 'l'));
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 100);
  await expect(collect({ maxBytes: 2 ** 40, signal: stop.signal })).rejects.toThrow('stopped');
  expect(readdirSync(join(folder, 'store'))).toEqual(['tmp']);
});
