import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { getFileStamp } from './collect-changes.js';
import { layOutWorkspace } from './lay-out-workspace.js';

/** Only root can change the owner of files; another user keeps them. */
const WORKER_UID = process.getuid?.() ?? 0;
const OWNER_UID = WORKER_UID === 0 ? 0x7000_0001 : WORKER_UID;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-lay-out-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("layOutWorkspace makes the commands' user the owner of the workspace, but not of link targets", async () => {
  const [workspace, outside] = [join(folder, 'workspace'), join(folder, 'outside')];
  for (const path of [workspace, join(outside, 'inner')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, 'file'), 'of the machine');
  const store = new DiskStore(join(folder, 'store'));
  const { sha256, size } = await store.put(Buffer.from('text'));
  const nothing = { sha256: null, size: 0, executable: false, target: null };
  const link = (path: string, target: string): WorkspaceEntry => ({ ...nothing, path, kind: 'link', target });
  const entries: WorkspaceEntry[] = [
    link('a', outside),
    link('d/up', '../../outside'),
    link('z', join(outside, 'file')),
    { ...nothing, path: 'd/e/f', kind: 'file', sha256, size },
    { ...nothing, path: 'd/empty', kind: 'folder' },
  ];
  const scanned = await layOutWorkspace(workspace, entries, store, WORKER_UID === 0 ? OWNER_UID : null);
  const ownerOf = (path: string) => lstatSync(path).uid;
  for (const path of ['a', 'd', 'd/e', 'd/e/f', 'd/empty', 'd/up', 'z']) {
    expect([path, ownerOf(join(workspace, path))]).toEqual([path, OWNER_UID]);
  }
  for (const path of ['', 'file', 'inner']) expect([path, ownerOf(join(outside, path))]).toEqual([path, WORKER_UID]);
  expect(ownerOf(join(folder, 'store'))).toBe(WORKER_UID);
  for (const [path, { stamp }] of scanned) {
    expect(stamp).toBe(getFileStamp(lstatSync(join(workspace, path), { bigint: true })));
  }
});
