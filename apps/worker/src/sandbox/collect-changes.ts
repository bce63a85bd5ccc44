import * as fs from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { openRegular } from '@millrace/storage/disk/open-regular';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { type FoundEntry, WorkspaceError, scanWorkspace } from './scan-workspace.js';

/** An entry of a workspace at the last scan. */
export interface ScannedEntry {
  entry: WorkspaceEntry;
  stamp: string;
}

export interface Changes {
  changed: WorkspaceEntry[];
  removed: string[];
  /** The current content of the workspace. */
  now: Map<string, ScannedEntry>;
}

/** Files that are stored concurrently; each waits for the disk most of the time. */
const MAX_CONCURRENT_FILES = 8;

/**
 * Stores the files that a command changed in a workspace. Call it only when all processes of the command have ended.
 * Only files with a changed stamp are read. `mayStore` is the maximum number of bytes to read.
 * @throws WorkspaceError if the workspace cannot be stored
 */
export async function collectChanges(
  folder: string,
  before: ReadonlyMap<string, ScannedEntry>,
  store: ObjectStore,
  mayStore: number,
): Promise<Changes> {
  const now = new Map<string, ScannedEntry>();
  const changed: WorkspaceEntry[] = [];
  const found = await scanWorkspace(folder);
  checkSize(found, before, mayStore);
  const look = async (one: FoundEntry) => {
    const previous = before.get(one.path);
    const stamp = getFileStamp(one.stats);
    const entry =
      previous?.stamp === stamp && previous.entry.kind === one.kind
        ? previous.entry
        : await readEntry(folder, one, store);
    now.set(one.path, { entry, stamp });
    if (!previous || !isSame(previous.entry, entry)) changed.push(entry);
  };
  const next = found.values();
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_FILES }, async () => {
      for (const one of next) await look(one);
    }),
  );
  return { changed, removed: [...before.keys()].filter((path) => !now.has(path)), now };
}

function checkSize(found: readonly FoundEntry[], before: ReadonlyMap<string, ScannedEntry>, mayStore: number): void {
  const isNew = ({ path, kind, stats }: FoundEntry) =>
    kind === 'file' && before.get(path)?.stamp !== getFileStamp(stats);
  const bytes = found.filter(isNew).reduce((sum, { stats }) => sum + Number(stats.size), 0);
  if (bytes > mayStore)
    throw new WorkspaceError('the files of the command exceed the 20 GiB that may be stored into sandboxes in a day');
}

async function readEntry(
  folder: string,
  { path, kind, stats, target }: FoundEntry,
  store: ObjectStore,
): Promise<WorkspaceEntry> {
  const nothing = { path, kind, sha256: null, size: 0, executable: false, target };
  if (kind !== 'file') return nothing;
  const executable = (stats.mode & 0o100n) !== 0n;
  return { ...nothing, ...(await storeCopy(`${folder}/${path}`, stats, store)), executable };
}

/** Stores a copy, because the file stays in the workspace for the next command. */
async function storeCopy(path: string, { mode }: fs.BigIntStats, store: ObjectStore): Promise<StoredObject> {
  if ((mode & 0o400n) === 0n) fs.chmodSync(path, Number(mode & 0o777n) | 0o400);
  const { descriptor } = openRegular(path);
  return store.put(fs.createReadStream('', { fd: descriptor }), { durable: true });
}

const isSame = (a: WorkspaceEntry, b: WorkspaceEntry): boolean =>
  a.kind === b.kind && a.sha256 === b.sha256 && a.executable === b.executable && a.target === b.target;

/** Differs after every change of a file's content, name or mode. A command can set all parts of it except the time of change. */
export const getFileStamp = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  [ino, size, mode, mtimeNs, ctimeNs].join(' ');
