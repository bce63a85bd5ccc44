import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { collectOutputs, type CollectOptions, type Outputs } from './collect-outputs.js';

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

const tools = (more: Partial<CollectOptions> = {}): CollectOptions => ({
  store,
  maxBytes: 2 ** 30,
  signal: new AbortController().signal,
  ...more,
});

async function collect(more: Partial<CollectOptions> = {}): Promise<Outputs> {
  const outputs = await collectOutputs(out, out, tools(more));
  if (!outputs) throw new Error('the outputs exceed abandonAbove');
  return outputs;
}

function sparse(name: string, size: number): void {
  writeFileSync(join(out, name), '');
  truncateSync(join(out, name), size);
}

describe('output links to one file', () => {
  it('are read once, and stored as one file each', async () => {
    writeFileSync(join(out, 'f'), 'content');
    symlinkSync('f', join(out, 'a'));
    symlinkSync('a', join(out, 'b'));
    symlinkSync(join(out, 'f'), join(out, 'c'));
    const adopt = jest.spyOn(store, 'adopt');
    const { files, ignored } = await collect();
    expect(files.map(({ path, size }) => [path, size])).toEqual(['a', 'b', 'c', 'f'].map((path) => [path, 7]));
    expect([new Set(files.map(({ sha256 }) => sha256)).size, adopt.mock.calls.length, ignored]).toEqual([1, 2, 0]);
  });

  it('count with the size of the file each, before anything is read', async () => {
    sparse('f', 2 ** 34);
    for (let at = 0; at < 60; at++) symlinkSync('f', join(out, `l${at}`));
    await expect(collect()).rejects.toThrow('out/ contains more than 1073741824 bytes');
  });
});

it('holes in output files count with their full size', async () => {
  const make = () => ['a', 'b', 'c'].forEach((name) => sparse(name, 400));
  make();
  expect((await collect({ maxBytes: 1_200 })).files).toHaveLength(3);
  make();
  await expect(collect({ maxBytes: 1_199 })).rejects.toThrow('out/ contains more than 1199 bytes');
});

it.each(['file', 'link'])('collectOutputs stops in the middle of a large file at the signal: %s', async (kind) => {
  // More than could be read before the test times out.
  sparse('f', 2 ** 40);
  if (kind === 'link') symlinkSync('f', join(out, 'l'));
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 100);
  await expect(collect({ maxBytes: 2 ** 41, signal: stop.signal })).rejects.toThrow('stopped');
  expect(readdirSync(join(folder, 'store'))).toEqual(['tmp']);
});

it('collectOutputs reads and stores nothing if the outputs together are too large', async () => {
  for (const name of ['a', 'b', 'c', 'd']) sparse(name, 2 ** 29);
  const adopt = jest.spyOn(store, 'adopt');
  await expect(collect({ maxBytes: 3 * 2 ** 29 })).rejects.toThrow('out/ contains more than 1610612736 bytes');
  expect(adopt).not.toHaveBeenCalled();
});

it.each([
  ['entries', { entries: 2, bytes: 1_000 }],
  ['bytes', { entries: 1_000, bytes: 29 }],
])('collectOutputs changes nothing if there are more %s than the caller accepts', async (_, abandonAbove) => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(out, name), 'ten bytes.');
  expect(await collectOutputs(out, out, tools({ abandonAbove }))).toBeNull();
  expect([readdirSync(out), readdirSync(join(folder, 'store'))]).toEqual([['a', 'b', 'c'], ['tmp']]);
  expect((await collect({ abandonAbove: { entries: 3, bytes: 30 } })).files).toHaveLength(3);
});
