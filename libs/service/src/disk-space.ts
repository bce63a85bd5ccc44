import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
const RECENT_MS = 1_000;

/** Folders that a process writes to, as far as its environment names them. */
function dataFolders(env: Readonly<Record<string, unknown>>): string[] {
  const folders = ['MILLRACE_DATA_DIR', 'STORAGE_DIR', 'WORK_DIR'].map((name) => env[name]);
  return [...new Set(folders.filter((folder) => typeof folder === 'string' && folder !== ''))] as string[];
}

/**
 * Tells whether the disks of some folders are full. The kernel is asked in a thread of the pool, so the event loop does not
 * wait for a file system that hangs.
 */
export class DiskSpace {
  private readonly folders: readonly string[];
  private recent: Promise<string | null> = Promise.resolve(null);
  private askedAt = -Infinity;

  /** @param minFreeMib setting DISK_MIN_FREE_MIB */
  constructor(
    env: Readonly<Record<string, unknown>>,
    private readonly minFreeMib: number,
  ) {
    this.folders = dataFolders(env);
  }

  /** For a health check. @throws Error that names the first folder whose disk is full */
  async check(): Promise<void> {
    const problem = await this.findFull();
    if (problem !== null) throw new Error(problem);
  }

  /** As `findFull`, for what asks often: the result may be a second old. */
  findFullRecently(): Promise<string | null> {
    if (performance.now() - this.askedAt < RECENT_MS) return this.recent;
    this.askedAt = performance.now();
    return (this.recent = this.findFull());
  }

  /** @returns which folder's disk is full; null if none is. A folder that does not exist, or no longer, does not count. */
  async findFull(): Promise<string | null> {
    for (const folder of this.folders) {
      const stats = await statfs(folder).catch(() => null);
      if (!stats) continue;
      const free = stats.bavail * stats.bsize;
      // A small disk is full when less than a tenth of it is left.
      const least = Math.min(this.minFreeMib * MIB, (stats.blocks * stats.bsize) / 10);
      if (free < least) {
        return `disk full: ${folder} has ${Math.floor(free / MIB)} MiB left, and ${Math.ceil(least / MIB)} MiB are needed`;
      }
    }
    return null;
  }
}
