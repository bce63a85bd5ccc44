import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import type { ObjectStore } from '@millrace/storage/object-store';
import { type ScannedEntry, getFileStamp } from './collect-changes.js';

/**
 * Replaces the content of a folder by a workspace. All processes of its session must have ended. Links come last, so that
 * nothing is written through a link.
 * @param owner user id of commands on this machine; null if it is that of this process
 * @returns the content of the folder, to be compared with its content after a command
 */
export async function layOutWorkspace(
  folder: string,
  entries: readonly WorkspaceEntry[],
  store: ObjectStore,
  owner: number | null,
): Promise<Map<string, ScannedEntry>> {
  await wipeFolder(folder);
  const made = new Map<string, ScannedEntry>();
  const slice = new TimeSlice();
  const isLink = ({ kind }: WorkspaceEntry) => kind === 'link';
  for (const entry of [...entries.filter((one) => !isLink(one)), ...entries.filter(isLink)]) {
    if (slice.isOver) await slice.yieldToEventLoop();
    await make(join(folder, checkPath(entry.path)), entry, store);
  }
  if (owner !== null) await changeOwner(folder, owner, slice);
  for (const entry of entries) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const path = join(folder, entry.path);
    made.set(entry.path, { entry, stamp: getFileStamp(lstatSync(path, { bigint: true })) });
  }
  return made;
}

/** Changes the owner of everything below a folder. Follows no link, because it may lead anywhere on this machine. */
async function changeOwner(folder: string, owner: number, slice: TimeSlice): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const path = join(folder, entry.name);
    lchownSync(path, owner, owner);
    if (entry.isDirectory()) await changeOwner(path, owner, slice);
  }
}

async function make(path: string, entry: WorkspaceEntry, store: ObjectStore): Promise<void> {
  if (entry.kind === 'folder') return void mkdirSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  if (entry.kind === 'link') return symlinkSync(entry.target ?? '', path);
  await store.link(entry.sha256 ?? '', path, { copy: true });
  chmodSync(path, entry.executable ? 0o755 : 0o644);
}

/** Paths come from messages. @throws Error if a path leads out of the folder */
function checkPath(path: string): string {
  if (path.split('/').some((part) => ['', '.', '..'].includes(part)) || path.includes('\0')) {
    throw new Error(`cannot create a file with the name ${JSON.stringify(path)}`);
  }
  return path;
}
