import { lstatSync, opendirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries looked at before other work of this process gets its turn; about 5 ms. */
const SLICE = 1000;

/**
 * Space that a folder takes on disk, in bytes, and its number of entries. Follows no links. Stops early once either
 * passes its bound, so the figures may then be too small but are above the bound. Folders that vanish meanwhile, or
 * may not be read, count as empty.
 */
export async function measureFolder(
  folder: string,
  most: { bytes: number; entries: number },
): Promise<{ bytes: number; entries: number }> {
  const open = [folder];
  const sum = { bytes: 0, entries: 0 };
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of entriesOf(path)) {
      sum.entries += 1;
      sum.bytes += spaceOf(entry.path);
      if (entry.folder) open.push(entry.path);
      if (sum.bytes > most.bytes || sum.entries > most.entries) return sum;
      if (sum.entries % SLICE === 0) await nextTurn();
    }
  }
  return sum;
}

function* entriesOf(folder: string): Generator<{ path: string; folder: boolean }> {
  try {
    using directory = opendirSync(folder);
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      yield { path: `${folder}/${entry.name}`, folder: entry.isDirectory() };
    }
  } catch {
    // Removed or locked by the command while we look.
  }
}

function spaceOf(path: string): number {
  try {
    return lstatSync(path).blocks * 512;
  } catch {
    return 0;
  }
}
