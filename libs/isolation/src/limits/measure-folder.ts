import { closeSync, constants, lstatSync, opendirSync, openSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Entries that are read, and folders that are opened, before the event loop runs; about 5 ms. */
const ENTRIES_PER_SLICE = 500;
/** A longer path, with at limit three bytes for each character, is replaced by a shorter one: Linux takes 4,096 bytes. */
const LONG_PATH_CHARACTERS = 1024;
/** How often a path may be shortened on the way down. Each time takes a file descriptor. No honest command needs so many. */
const MAX_DETOURS = 16;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export interface DiskUsage {
  bytes: number;
  entries: number;
}

/**
 * Measures the disk space of a folder, in bytes, and its number of entries. Follows no links. Stops as soon as one of them
 * exceeds its limit: the figures may then be too small, but they are above the limit. Folders that vanish in the meantime
 * count as empty. Folders that cannot be read, or with paths of some 16,000 characters, count as endless.
 */
export async function measureFolder(folder: string, limit: DiskUsage): Promise<DiskUsage> {
  const sum = { bytes: 0, entries: 0 };
  try {
    await addFolder(folder, sum, limit, 0);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    sum.entries = Infinity;
  }
  return sum;
}

async function addFolder(folder: string, sum: DiskUsage, limit: DiskUsage, detours: number): Promise<void> {
  const open = [folder];
  let reads = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path.length > LONG_PATH_CHARACTERS && path !== folder) await addByDetour(path, sum, limit, detours + 1);
    else
      for (const entry of readEntries(path)) {
        sum.entries += 1;
        sum.bytes += readDiskBytes(entry.path);
        if (entry.folder) open.push(entry.path);
        if (exceeds(sum, limit)) return;
        if (++reads % ENTRIES_PER_SLICE === 0) await yieldToEventLoop();
      }
    // An empty folder takes as long as an entry: a hundred thousand of them take three seconds.
    if (++reads % ENTRIES_PER_SLICE === 0) await yieldToEventLoop();
    if (exceeds(sum, limit)) return;
  }
}

/** A path through an open file descriptor is short, so none becomes too long for the system. */
async function addByDetour(path: string, sum: DiskUsage, limit: DiskUsage, detours: number): Promise<void> {
  if (detours > MAX_DETOURS) {
    sum.entries = Infinity;
    return;
  }
  const descriptor = openFolder(path);
  if (descriptor === null) return;
  try {
    await addFolder(`/proc/self/fd/${descriptor}`, sum, limit, detours);
  } finally {
    closeSync(descriptor);
  }
}

const exceeds = (sum: DiskUsage, limit: DiskUsage): boolean => sum.bytes > limit.bytes || sum.entries > limit.entries;

function openFolder(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (isAccessDenied(error)) throw error;
    return null;
  }
}

function* readEntries(folder: string): Generator<{ path: string; folder: boolean }> {
  try {
    using directory = opendirSync(folder);
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      yield { path: `${folder}/${entry.name}`, folder: entry.isDirectory() };
    }
  } catch (error) {
    // Otherwise the command has removed it in the meantime.
    if (isAccessDenied(error)) throw error;
  }
}

function readDiskBytes(path: string): number {
  try {
    return lstatSync(path).blocks * 512;
  } catch (error) {
    if (isAccessDenied(error)) throw error;
    return 0;
  }
}

/** The owner of a folder can close it to a worker that is not root, to hide files from this measurement. */
const isAccessDenied = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EACCES';
