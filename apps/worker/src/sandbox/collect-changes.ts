import * as fs from 'node:fs';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { openRegular } from '@millrace/storage/disk/open-regular';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { getFileStamp } from './get-file-stamp.js';
import { scanWorkspace, type Found } from './scan-workspace.js';
import { WorkspaceError } from './workspace-error.js';

/** Something in a workspace, as it was when somebody last looked. */
export interface Known {
  entry: WorkspaceEntry;
  stamp: string;
}

export interface Changes {
  changed: WorkspaceEntry[];
  removed: string[];
  /** What is there now. */
  now: Map<string, Known>;
}

/** Files stored at the same time; each waits for the disk most of the time. */
const AT_ONCE = 8;

/**
 * Stores the files that a command changed in a workspace. Call it only when all processes of the command have ended.
 * Only files with a changed stamp are read. `mayStore` is in bytes, and counts what has to be read.
 * @throws WorkspaceError where it cannot be kept
 */
export async function collectChanges(
  folder: string,
  before: ReadonlyMap<string, Known>,
  store: ObjectStore,
  mayStore: number,
): Promise<Changes> {
  const now = new Map<string, Known>();
  const changed: WorkspaceEntry[] = [];
  const found = await scanWorkspace(folder);
  keepInBounds(found, before, mayStore);
  const look = async (one: Found) => {
    const former = before.get(one.path);
    const stamp = getFileStamp(one.stats);
    const entry =
      former?.stamp === stamp && former.entry.kind === one.kind ? former.entry : await read(folder, one, store);
    now.set(one.path, { entry, stamp });
    if (!former || !isSame(former.entry, entry)) changed.push(entry);
  };
  const next = found.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of next) await look(one);
    }),
  );
  return { changed, removed: [...before.keys()].filter((path) => !now.has(path)), now };
}

function keepInBounds(found: readonly Found[], before: ReadonlyMap<string, Known>, mayStore: number): void {
  const isNew = ({ path, kind, stats }: Found) => kind === 'file' && before.get(path)?.stamp !== getFileStamp(stats);
  const bytes = found.filter(isNew).reduce((sum, { stats }) => sum + Number(stats.size), 0);
  if (bytes > mayStore)
    throw new WorkspaceError('the files of the command exceed the 20 GiB that may be stored into sandboxes in a day');
}

async function read(folder: string, { path, kind, stats, target }: Found, store: ObjectStore): Promise<WorkspaceEntry> {
  const nothing = { path, kind, sha256: null, size: 0, executable: false, target };
  if (kind !== 'file') return nothing;
  const executable = (stats.mode & 0o100n) !== 0n;
  return { ...nothing, ...(await keep(`${folder}/${path}`, stats, store)), executable };
}

/** A copy: the command goes on with the file that it has. */
async function keep(path: string, { mode }: fs.BigIntStats, store: ObjectStore): Promise<StoredObject> {
  if ((mode & 0o400n) === 0n) fs.chmodSync(path, Number(mode & 0o777n) | 0o400);
  const { descriptor } = openRegular(path);
  return store.put(fs.createReadStream('', { fd: descriptor }), { durable: true });
}

const isSame = (a: WorkspaceEntry, b: WorkspaceEntry): boolean =>
  a.kind === b.kind && a.sha256 === b.sha256 && a.executable === b.executable && a.target === b.target;
