import { closeSync, constants, lstatSync, opendirSync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries looked at, and folders opened, before other work of this process gets its turn; about 5 ms. */
const ENTRIES_PER_SLICE = 500;
/** Characters of a path, at most three bytes each, from which on a folder gets a shorter one: Linux takes 4,096 bytes. */
const LONG_PATH_CHARACTERS = 1024;
/** How often a path may be shortened on the way down; each takes a descriptor. No honest command comes near. */
const MAX_DETOURS = 16;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export interface DiskUsage {
  bytes: number;
  entries: number;
}

/**
 * Space that a folder takes on disk, in bytes, and its number of entries. Follows no links. Stops early once either
 * passes its bound, so the figures may then be too small but are above the bound. Folders that vanish meanwhile count
 * as empty; those that may not be looked through, and what is some 16,000 characters of path down, as endless.
 */
export async function measureFolder(folder: string, most: DiskUsage): Promise<DiskUsage> {
  const sum = { bytes: 0, entries: 0 };
  try {
    await addFolder(folder, sum, most, 0);
  } catch (error) {
    if (!isLocked(error)) throw error;
    sum.entries = Infinity;
  }
  return sum;
}

async function addFolder(folder: string, sum: DiskUsage, most: DiskUsage, detours: number): Promise<void> {
  const open = [folder];
  let looks = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path.length > LONG_PATH_CHARACTERS && path !== folder) await addByDetour(path, sum, most, detours + 1);
    else
      for (const entry of entriesOf(path)) {
        sum.entries += 1;
        sum.bytes += spaceOf(entry.path);
        if (entry.folder) open.push(entry.path);
        if (isOver(sum, most)) return;
        if (++looks % ENTRIES_PER_SLICE === 0) await nextTurn();
      }
    // An empty folder takes as long as an entry: a hundred thousand of them, three seconds.
    if (++looks % ENTRIES_PER_SLICE === 0) await nextTurn();
    if (isOver(sum, most)) return;
  }
}

/** A path that goes through an open descriptor begins anew, so that none becomes too long for the system. */
async function addByDetour(path: string, sum: DiskUsage, most: DiskUsage, detours: number): Promise<void> {
  if (detours > MAX_DETOURS) {
    sum.entries = Infinity;
    return;
  }
  const descriptor = openFolder(path);
  if (descriptor === null) return;
  try {
    await addFolder(`/proc/self/fd/${descriptor}`, sum, most, detours);
  } finally {
    closeSync(descriptor);
  }
}

const isOver = (sum: DiskUsage, most: DiskUsage): boolean => sum.bytes > most.bytes || sum.entries > most.entries;

function openFolder(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (isLocked(error)) throw error;
    return null;
  }
}

function* entriesOf(folder: string): Generator<{ path: string; folder: boolean }> {
  try {
    using directory = opendirSync(folder);
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      yield { path: `${folder}/${entry.name}`, folder: entry.isDirectory() };
    }
  } catch (error) {
    // Else removed by the command while we look.
    if (isLocked(error)) throw error;
  }
}

function spaceOf(path: string): number {
  try {
    return lstatSync(path).blocks * 512;
  } catch (error) {
    if (isLocked(error)) throw error;
    return 0;
  }
}

/** Whoever owns a folder can close it to a worker that is not root, and keep in it what they like. */
const isLocked = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EACCES';
