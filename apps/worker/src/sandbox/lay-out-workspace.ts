import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { Known } from './collect-changes.js';
import { getFileStamp } from './get-file-stamp.js';

/**
 * Makes a folder what a workspace is, whatever was in it; no process of its session may live. Links come last: nothing is
 * ever written through one.
 * @param owner who commands are on this machine, if not who this process is
 * @returns what is there now, to be compared with what a command leaves
 */
export async function layOutWorkspace(
  folder: string,
  entries: readonly WorkspaceEntry[],
  store: ObjectStore,
  owner: number | null,
): Promise<Map<string, Known>> {
  await wipeFolder(folder);
  const made = new Map<string, Known>();
  const slice = new TimeSlice();
  const isLink = ({ kind }: WorkspaceEntry) => kind === 'link';
  for (const entry of [...entries.filter((one) => !isLink(one)), ...entries.filter(isLink)]) {
    if (slice.isOver) await slice.yieldToEventLoop();
    await make(join(folder, checked(entry.path)), entry, store);
  }
  if (owner !== null) await giveAll(folder, owner, slice);
  for (const entry of entries) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const path = join(folder, entry.path);
    made.set(entry.path, { entry, stamp: getFileStamp(lstatSync(path, { bigint: true })) });
  }
  return made;
}

/** Never through a link: one may lead anywhere on this machine. */
async function giveAll(folder: string, owner: number, slice: TimeSlice): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const path = join(folder, entry.name);
    lchownSync(path, owner, owner);
    if (entry.isDirectory()) await giveAll(path, owner, slice);
  }
}

async function make(path: string, entry: WorkspaceEntry, store: ObjectStore): Promise<void> {
  if (entry.kind === 'folder') return void mkdirSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  if (entry.kind === 'link') return symlinkSync(entry.target ?? '', path);
  await store.link(entry.sha256 ?? '', path, { copy: true });
  chmodSync(path, entry.executable ? 0o755 : 0o644);
}

/** Paths come out of messages: none of them may lead out of the folder. */
function checked(path: string): string {
  if (path.split('/').some((part) => ['', '.', '..'].includes(part)) || path.includes('\0')) {
    throw new Error(`cannot create a file with the name ${JSON.stringify(path)}`);
  }
  return path;
}
