import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
const CACHE_MS = 1_000;

/** The folders that a process writes to, according to its environment. */
function dataFolders(env: Readonly<Record<string, unknown>>): string[] {
  const folders = ['MILLRACE_DATA_DIR', 'STORAGE_DIR', 'WORK_DIR'].map((name) => env[name]);
  return [...new Set(folders.filter((folder) => typeof folder === 'string' && folder !== ''))] as string[];
}

/**
 * Detects full disks of the data folders. A thread of the pool makes the system call, so a file system that hangs does
 * not block the event loop.
 */
export class DiskSpace {
  private readonly folders: readonly string[];
  private cached: Promise<string | null> = Promise.resolve(null);
  private cachedAt = -Infinity;

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

  /** Like `findFull`, for frequent checks: the result may be a second old. */
  findFullRecently(): Promise<string | null> {
    if (performance.now() - this.cachedAt < CACHE_MS) return this.cached;
    this.cachedAt = performance.now();
    return (this.cached = this.findFull());
  }

  /**
   * @returns the problem of the first folder whose disk is full; null if there is none. Missing folders are ignored.
   */
  async findFull(): Promise<string | null> {
    for (const folder of this.folders) {
      const stats = await statfs(folder).catch(() => null);
      if (!stats) continue;
      const free = stats.bavail * stats.bsize;
      // A small disk is full if less than a tenth of it is free.
      const required = Math.min(this.minFreeMib * MIB, (stats.blocks * stats.bsize) / 10);
      if (free < required) {
        return `disk full: ${folder} has ${Math.floor(free / MIB)} MiB left, but ${Math.ceil(required / MIB)} MiB are required`;
      }
    }
    return null;
  }
}
