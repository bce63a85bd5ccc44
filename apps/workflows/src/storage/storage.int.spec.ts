import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createFolder,
  deleteFile,
  deleteFolder,
  downloadFile,
  getFile,
  listFiles,
  listFolders,
  uploadFile,
} from '@millrace/contracts/workflows/storage';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = () => {
  const caller = ownerCaller();
  const { file } = seedAs(system.callAs, caller);
  const make = (path: string, more: object = {}) => system.callAs(caller, createFolder, { body: { path, ...more } });
  const remove = (path: string) => system.callAs(caller, deleteFolder, { query: { path } });
  const folders = async (query: object = {}) => {
    const { results } = await system.callAs(caller, listFolders, { query });
    return results.map(({ path }) => path);
  };
  const files = async (query: object = {}) => {
    const { results } = await system.callAs(caller, listFiles, { query: { ordering: 'path', ...query } });
    return results.map(({ path }) => path);
  };
  return { caller, file, make, remove, folders, files };
};

const BAD_PATHS = ['/a', 'a/', 'a//b', '../a', 'a/../b', './a', 'x'.repeat(256)];
const badPath = { code: 'validation_error', details: { 'body.path': expect.any(String) } };
const notFound = { code: 'not_found' };

describe('a stored folder', () => {
  it('is created with its missing parents', async () => {
    const { make, folders } = seeded();
    const response = await make('a/b/c', { description: 'Deep' });
    expect(response).toEqual({
      success: true,
      folder: {
        id: expect.any(String),
        path: 'a/b/c',
        name: 'c',
        parent: 'a/b',
        description: 'Deep',
        created_date: expect.stringMatching(/\.\d{3}Z$/),
      },
    });
    expect(await folders()).toEqual(['a']);
    expect(await folders({ path: 'a' })).toEqual(['a/b']);
    const { folder } = await make('a');
    expect(folder).toEqual({ id: folder.id, path: 'a', name: 'a', created_date: folder.created_date });
  });

  it('stays the same when it is created again, and gets a new description', async () => {
    const { make } = seeded();
    const { folder } = await make('a', { description: 'first' });
    expect((await make('a')).folder).toEqual(folder);
    expect((await make('a', { description: 'second' })).folder).toEqual({ ...folder, description: 'second' });
    expect((await make('a', { description: '' })).folder).not.toHaveProperty('description');
  });

  it('is the same for all Unicode compositions of its name, and another one in another case', async () => {
    const { make, folders } = seeded();
    const { folder } = await make('Cafe\u0301');
    expect(folder.path).toBe('Caf\u00e9');
    expect((await make('Caf\u00e9')).folder.id).toBe(folder.id);
    await make('caf\u00e9');
    expect((await folders()).sort()).toEqual(['Caf\u00e9', 'caf\u00e9']);
  });

  it.each(BAD_PATHS)('cannot have the path %j', async (path) => {
    const { make, folders } = seeded();
    await expect(make(path)).rejects.toMatchObject(badPath);
    expect(await folders()).toEqual([]);
  });

  it('cannot be at or below the path of a file', async () => {
    const { make, file, folders } = seeded();
    await file('a/file');
    for (const path of ['a/file', 'a/file/b/c']) await expect(make(path)).rejects.toMatchObject(badPath);
    expect(await folders({ path: 'a' })).toEqual([]);
  });

  it("can be created in the caller's vault only", async () => {
    const { caller, make } = seeded();
    expect(await make('a', { vaultId: caller.vault })).toMatchObject({ success: true });
    for (const vaultId of [randomUUID(), 'x', '']) await expect(make('b', { vaultId })).rejects.toMatchObject(notFound);
  });

  it('is deleted with its content, and nothing else is', async () => {
    const { file, make, remove, folders, files } = seeded();
    for (const path of ['a_b/one', 'a_b/c/two', 'aXb/three', 'a_bc/four', 'five']) await file(path);
    await make('a_b/empty');
    expect(await remove('a_b')).toBeNull();
    expect(await folders({ ordering: 'path' })).toEqual(expect.arrayContaining(['aXb', 'a_bc']));
    expect(await folders()).toHaveLength(2);
    expect((await files()).sort()).toEqual(['aXb/three', 'a_bc/four', 'five']);
    await expect(folders({ path: 'a_b' })).rejects.toMatchObject(notFound);
    await expect(remove('a_b')).rejects.toMatchObject(notFound);
  });

  it('can be found by a part of its name or description, not of its path', async () => {
    const { make, folders } = seeded();
    await make('data/words', { description: 'Lists' });
    await make('data/sums');
    expect(await folders({ path: 'data', search: 'data' })).toEqual([]);
    expect(await folders({ path: 'data', search: 'WOR' })).toEqual(['data/words']);
    expect(await folders({ path: 'data', search: 'list' })).toEqual(['data/words']);
  });
});

describe('a stored file', () => {
  it('is stored under its path, with the folders above it', async () => {
    const { caller, file, folders } = seeded();
    const stored = await file('in/deep/words.txt', 'abc');
    expect(stored).toEqual({
      id: expect.any(String),
      path: 'in/deep/words.txt',
      name: 'words.txt',
      folder: 'in/deep',
      size: 3,
      sha256: 'abc'.repeat(64).slice(0, 64),
      created_date: expect.any(String),
      modified_date: expect.any(String),
    });
    expect(await folders({ path: 'in' })).toEqual(['in/deep']);
    const params = { id: stored.id };
    expect(await system.callAs(caller, getFile, { params })).toEqual(stored);
    expect(await system.callAs(caller, downloadFile, { params })).toEqual({
      name: 'words.txt',
      sha256: stored.sha256,
      size: 3,
    });
    expect(await file('top')).not.toHaveProperty('folder');
  });

  it('keeps its id when it is replaced', async () => {
    const { file, files } = seeded();
    const before = await file('a/f', 'a');
    const after = await file('a/f', 'bb');
    const { id, created_date } = before;
    expect(after).toMatchObject({ id, created_date, size: 2, sha256: 'b'.repeat(64) });
    expect(after.modified_date > before.modified_date).toBe(true);
    expect(await files()).toEqual(['a/f']);
  });

  it('is one record if several are uploaded to its path at once', async () => {
    const { file, files } = seeded();
    const stored = await Promise.all(['a', 'b', 'c', 'd'].map((content) => file('x/f', content)));
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
    expect(await files()).toEqual(['x/f']);
  });

  it('may be larger than 4 GiB', async () => {
    const { caller } = seeded();
    const body = { path: 'big', size: 5_000_000_000_000, sha256: 'a'.repeat(64) };
    expect(await system.callAs(caller, uploadFile, { body })).toMatchObject({ size: body.size });
  });

  it.each(BAD_PATHS)('cannot have the path %j', async (path) => {
    const { file, files } = seeded();
    await expect(file(path)).rejects.toMatchObject(badPath);
    expect(await files()).toEqual([]);
  });

  it('cannot be at the path of a folder, or below a file', async () => {
    const { file, make, files } = seeded();
    await make('a/b');
    await file('f');
    for (const path of ['a', 'a/b', 'f/g', 'f/g/h']) await expect(file(path)).rejects.toMatchObject(badPath);
    expect(await files()).toEqual(['f']);
  });

  it('never has the path of a folder, whichever is created first', async () => {
    const { caller, file, make } = seeded();
    await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => [file(`p${at % 5}`), make(`p${at % 5}/below`)]).flat(),
    );
    const both = await system.database.query(
      'SELECT f.path FROM workflows.file f JOIN workflows.folder d USING (vault_id, path) WHERE f.vault_id = $1',
      [caller.vault],
    );
    expect(both).toEqual([]);
  });

  it('no longer exists after it is deleted', async () => {
    const { caller, file } = seeded();
    const { id } = await file('a');
    const removeFile = () => system.callAs(caller, deleteFile, { params: { id } });
    expect(await removeFile()).toBeNull();
    await expect(removeFile()).rejects.toMatchObject(notFound);
    await expect(system.callAs(caller, getFile, { params: { id } })).rejects.toMatchObject(notFound);
  });
});

describe('the list of files', () => {
  it('contains those at a path and below it', async () => {
    const { file, files } = seeded();
    for (const path of ['a/b/1', 'a/2', 'ab/3', 'a%/4', '5']) await file(path);
    expect(await files({ path: 'a' })).toEqual(['a/2', 'a/b/1']);
    expect(await files({ path: 'a/2' })).toEqual(['a/2']);
    expect(await files({ path: 'a%' })).toEqual(['a%/4']);
    expect(await files({ path: 'missing' })).toEqual([]);
    expect(await files()).toHaveLength(5);
    await expect(files({ path: '../a' })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('contains those directly in a folder', async () => {
    const { file, files } = seeded();
    for (const path of ['a/b/1', 'a/2', 'ab/3', '5']) await file(path);
    expect(await files({ folder: 'a' })).toEqual(['a/2']);
    expect(await files({ folder: '' })).toEqual(['5']);
    expect(await files({ folder: 'a/2' })).toEqual([]);
    expect(await files({ folder: 'a/b', path: 'a' })).toEqual(['a/b/1']);
    await expect(files({ folder: '../a' })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('can be searched by name, ordered and paged', async () => {
    const { file, files } = seeded();
    await file('x/Big', 'aaa');
    await file('x/small', 'a');
    await file('y/bigger', 'aaaa');
    expect(await files({ search: 'big', ordering: '-size' })).toEqual(['y/bigger', 'x/Big']);
    expect(await files({ ordering: 'size', page: 2, page_size: 2 })).toEqual(['y/bigger']);
    expect(await files({ search: 'x/' })).toEqual([]);
  });
});
