import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileRef, FileSet } from '@millrace/contracts/runs/files';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { listFiles } from './file-list.js';
import { encodeFileLines } from './file-sets.js';
import { InputList } from './input-list.js';

const MANY = 2_500;
const sha = 'a'.repeat(64);
const fileAt = (path: string): FileRef => ({ path, sha256: sha, size: 3 });
const files = Array.from({ length: MANY }, (_, n) => fileAt(`${n + 1}/output.txt`));
let folder: string;
let store: DiskStore;
let manifest: FileSet;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-list-'));
  store = new DiskStore(folder);
  const { sha256 } = await store.put(Buffer.concat(await encodeFileLines(files)));
  manifest = { manifest: sha256, count: MANY };
});
afterAll(() => rmSync(folder, { recursive: true }));

const pathsOf = (list: InputList) => [...list].map(({ path }) => path);
const paths = files.map(({ path }) => `s0/${path}`);

describe('a list of many files', () => {
  it('has each file of the manifest in order, in each iteration', async () => {
    const list = new InputList();
    await list.addFiles('s0', await listFiles(manifest, store));
    for (let times = 0; times < 2; times++) expect(pathsOf(list)).toEqual(paths);
    expect([...list][7]).toEqual({ kind: 'file', path: 's0/8/output.txt', file: files[7] });
    expect(list).toHaveLength(MANY);
  });

  it('has the included files only', async () => {
    const found = await listFiles(manifest, store, (path) => path.startsWith('7'));
    expect([...found]).toEqual(files.filter(({ path }) => path.startsWith('7')));
    expect(found).toHaveLength([...found].length);
  });

  it('has each path once, whatever else is below its folder', async () => {
    const list = new InputList();
    list.add({ kind: 'folder', path: 's0' });
    list.add({ kind: 'file', path: 's0/5/output.txt', file: { sha256: 'first', size: 1 } });
    await list.addFiles('s0', await listFiles(manifest, store));
    await list.addFiles('s0/1', [fileAt('output.txt'), fileAt('other.txt')]);
    await list.addFiles('s0', await listFiles(manifest, store));
    list.add({ kind: 'file', path: 's0/9/output.txt', file: fileAt('late') });
    list.add({ kind: 'file', path: 's0/.failed.json', file: fileAt('failed') });
    const found = pathsOf(list);
    expect(new Set(found).size).toBe(found.length);
    expect([...found].sort()).toEqual(['s0', 's0/1/other.txt', 's0/.failed.json', ...paths].sort());
    const [, first] = list;
    expect(first).toMatchObject({ path: 's0/5/output.txt', file: { sha256: 'first' } });
  });

  it('refuses a path that leads out of the folder, before it makes anything', async () => {
    const lines = await encodeFileLines([...files, fileAt('../../etc/passwd')]);
    const { sha256 } = await store.put(Buffer.concat(lines));
    const list = new InputList();
    const long = await listFiles({ manifest: sha256, count: MANY + 1 }, store);
    await expect(list.addFiles('s0', long)).rejects.toThrow('a file cannot be an input under the name');
  });

  it('fails for a manifest with an invalid line', async () => {
    const { sha256 } = await store.put(Buffer.from('{"path":"a","sha256":"x","size":1}\n'));
    await expect(listFiles({ manifest: sha256, count: 1 }, store)).rejects.toThrow('sha256');
  });
});
