import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { vaultAdministered } from '@millrace/contracts/auth/admin/admin-vaults';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  admitUpload,
  createFolder,
  deleteFile,
  deleteFolder,
  getStorageUsage,
  uploadFile,
} from '@millrace/contracts/workflows/storage';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

const QUOTA = 1024;

let system: System;
let gateway: FakeService;
beforeAll(async () => {
  system = await startApps([start], { STORAGE_QUOTA: '1K' });
  gateway = await system.fake('gateway');
});
afterAll(() => system.close());

const seeded = () => {
  const caller = ownerCaller();
  return {
    caller,
    put: (path: string, size: number) => {
      const sha256 = createHash('sha256').update(`${path} ${size}`).digest('hex');
      return system.callAs(caller, uploadFile, { body: { path, size, sha256 } });
    },
    admit: (path: string) => gateway.call(admitUpload, { path }, caller),
    usage: () => system.callAs(caller, getStorageUsage),
  };
};

/** Counted from the rows; the counter must always equal it. */
const sumFiles = async ({ vault }: Caller) => {
  const [row] = await system.database.query(
    'SELECT count(*)::int AS files, coalesce(sum(size), 0)::int AS bytes FROM workflows.file WHERE vault_id = $1',
    [vault],
  );
  return row as { files: number; bytes: number };
};

describe('the usage of a vault', () => {
  it('follows uploads, overwrites and deletions', async () => {
    const { caller, put, usage } = seeded();
    const quota_bytes = QUOTA;
    expect(await usage()).toEqual({ files: 0, used_bytes: 0, run_bytes: 0, quota_bytes });
    const { id } = await put('a/one', 100);
    await put('a/b/two', 200);
    await put('three', 300);
    expect(await usage()).toEqual({ files: 3, used_bytes: 600, run_bytes: 0, quota_bytes });
    await put('a/one', 50);
    expect(await usage()).toEqual({ files: 3, used_bytes: 550, run_bytes: 0, quota_bytes });
    await system.callAs(caller, deleteFile, { params: { id } });
    expect(await usage()).toEqual({ files: 2, used_bytes: 500, run_bytes: 0, quota_bytes });
    await system.callAs(caller, deleteFolder, { query: { path: 'a' } });
    expect(await usage()).toEqual({ files: 1, used_bytes: 300, run_bytes: 0, quota_bytes });
  });

  it('counts its own files only', async () => {
    const [one, other] = [seeded(), seeded()];
    await one.put('x', QUOTA);
    await other.put('x', QUOTA);
    expect((await one.usage()).used_bytes).toBe(QUOTA);
  });

  it('is exact after many concurrent changes', async () => {
    const { caller, put, usage } = seeded();
    const changes = Array.from({ length: 60 }, (_, at) =>
      at % 6 === 5
        ? system.callAs(caller, deleteFolder, { query: { path: `d${at % 4}` } })
        : put(`d${at % 4}/f${at % 7}`, (at % 5) * 10),
    );
    await Promise.allSettled(changes);
    const { files, used_bytes } = await usage();
    expect({ files, bytes: used_bytes }).toEqual(await sumFiles(caller));
  });
});

describe('the storage quota', () => {
  const tooLarge = { code: 'payload_too_large', details: { quota_bytes: QUOTA } };

  it('can be used to the last byte and not exceeded', async () => {
    const { put, usage } = seeded();
    await put('a', 1_000);
    await expect(put('b', 25)).rejects.toMatchObject({ ...tooLarge, details: { used_bytes: 1_000 } });
    await put('b', 24);
    await expect(put('c', 1)).rejects.toMatchObject(tooLarge);
    await put('empty', 0);
    expect(await usage()).toMatchObject({ files: 3, used_bytes: QUOTA });
  });

  it('counts the difference if a file is replaced', async () => {
    const { put, usage } = seeded();
    await put('a', 1_000);
    await put('a', QUOTA);
    await expect(put('a', QUOTA + 1)).rejects.toMatchObject(tooLarge);
    await put('a', 10);
    expect((await usage()).used_bytes).toBe(10);
  });

  it('permits smaller replacements after it was lowered', async () => {
    const { caller, put, usage } = seeded();
    await put('a', 1_000);
    await system.database.query('UPDATE workflows.file SET size = 5000 WHERE vault_id = $1', [caller.vault]);
    expect((await usage()).used_bytes).toBe(5_000);
    await put('a', 4_000);
    await expect(put('a', 4_001)).rejects.toMatchObject(tooLarge);
  });

  it('is not exceeded by many concurrent uploads', async () => {
    const { caller, put, usage } = seeded();
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => put(`f${at}`, 100)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await usage()).used_bytes).toBe(1_000);
    expect(await sumFiles(caller)).toEqual({ files: 10, bytes: 1_000 });
  });

  it('leaves nothing of an upload that it refuses', async () => {
    const { caller, put } = seeded();
    await put('a', QUOTA);
    await expect(put('deep/folder/b', 1)).rejects.toMatchObject(tooLarge);
    const folders = await system.database.query('SELECT path FROM workflows.folder WHERE vault_id = $1', [
      caller.vault,
    ]);
    expect(folders).toEqual([]);
  });
});

describe('the check before an upload', () => {
  it('returns the maximum size of the file', async () => {
    const { put, admit } = seeded();
    expect(await admit('a')).toEqual({ most: QUOTA, used_bytes: 0, quota_bytes: QUOTA });
    await put('a', 1_000);
    expect((await admit('b')).most).toBe(24);
    expect((await admit('a')).most).toBe(QUOTA);
  });

  it("refuses a path that cannot be a file's", async () => {
    const { caller, put, admit } = seeded();
    await put('file', 1);
    await system.callAs(caller, createFolder, { body: { path: 'folder' } });
    for (const path of ['folder', 'file/below', '../x', 'a//b']) {
      await expect(admit(path)).rejects.toMatchObject({
        code: 'validation_error',
        details: { 'body.path': expect.any(String) },
      });
    }
    expect(await admit('file')).toMatchObject({ most: QUOTA });
  });
});

it('a folder of thousands of files is deleted in one request, and its usage is released', async () => {
  const { caller, put, usage } = seeded();
  await put('full/last', 1);
  await system.database.query(
    `INSERT INTO workflows.file (id, vault_id, path, name, folder, size, sha256, author, modified_at)
     SELECT gen_random_uuid(), $1, 'full/' || n, n::text, 'full', 1, repeat('a', 64), $1, now()
     FROM generate_series(1, 20000) n`,
    [caller.vault],
  );
  for (const path of ['full0', 'ful', 'full-']) await put(path, 0);
  expect(await usage()).toMatchObject({ files: 20_004, used_bytes: 20_001 });
  await system.callAs(caller, deleteFolder, { query: { path: 'full' } });
  expect(await usage()).toMatchObject({ files: 3, used_bytes: 0 });
});

it('the outputs and logs of runs count to the usage of the vault', async () => {
  const { caller, put, usage } = seeded();
  await system.database.query('INSERT INTO runs.stored_change (vault_id, bytes) VALUES ($1, 1000)', [caller.vault]);
  expect(await usage()).toEqual({ files: 0, used_bytes: 1_000, run_bytes: 1_000, quota_bytes: QUOTA });
  await put('a', 24);
  await expect(put('b', 1)).rejects.toMatchObject({ code: 'payload_too_large', details: { used_bytes: QUOTA } });
});

it('an administrator may set another quota for a vault', async () => {
  const { caller, put, usage } = seeded();
  const auth = await system.sourceOf('auth');
  const limits = { activeRuns: null, dispatches: null, liveRows: null, storageBytes: 2_000 };
  const decision = { vault: caller.vault, number: 1, suspended: false, stopRuns: false, ...limits };
  await auth.emit(vaultAdministered, decision);
  await eventually(async () => expect((await usage()).quota_bytes).toBe(2_000));
  await put('a', 2_000);
  await expect(put('b', 1)).rejects.toMatchObject({ code: 'payload_too_large', details: { quota_bytes: 2_000 } });
});
