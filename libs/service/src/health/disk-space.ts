import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
const CACHE_MS = 1_000;
/** What a step creates: folders of its slot, its outputs, its logs. */
const MIN_FREE_INODES = 500;

/** The settings with the folders that a process writes to, and what the folders are for. */
const FOLDER_SETTINGS = { MILLRACE_DATA_DIR: 'data', STORAGE_DIR: 'objects', WORK_DIR: 'work' } as const;

/** The disk of one folder, in bytes. */
export interface DiskUsage {
  folder: string;
  free: number;
  size: number;
}

/** A disk without free inodes is as full as one without free bytes. A file system that makes inodes as needed has 0 of both. */
interface MeasuredDisk extends Omit<DiskUsage, 'folder'> {
  inodes: number;
  freeInodes: number;
}

/** Paths of the folders of an environment, by what they are for. */
function dataFolders(env: Readonly<Record<string, unknown>>): Map<string, string> {
  const folders = Object.entries(FOLDER_SETTINGS).map(([setting, folder]) => [folder, env[setting]] as const);
  return new Map(
    folders.flatMap(([folder, path]) => (typeof path === 'string' && path !== '' ? [[folder, path]] : [])),
  );
}

/**
 * Detects full disks of the data folders. A thread of the pool makes the system call, so a file system that hangs does
 * not block the event loop.
 */
export class DiskSpace {
  private readonly folders: ReadonlyMap<string, string>;
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
    for (const path of new Set(this.folders.values())) {
      const usage = await readUsage(path);
      if (!usage) continue;
      // A small disk is full if less than a tenth of it is free.
      const required = Math.min(this.minFreeMib * MIB, usage.size / 10);
      if (usage.free < required) {
        return `disk full: ${path} has ${Math.floor(usage.free / MIB)} MiB left, but ${Math.ceil(required / MIB)} MiB are required`;
      }
      const requiredInodes = Math.min(MIN_FREE_INODES, Math.floor(usage.inodes / 10));
      if (usage.freeInodes < requiredInodes) {
        return `disk full: ${path} has ${usage.freeInodes} free inodes, but ${requiredInodes} are required`;
      }
    }
    return null;
  }

  /** The disks of all folders that exist. */
  async readUsages(): Promise<DiskUsage[]> {
    const usages = [...this.folders].map(async ([folder, path]) => {
      const usage = await readUsage(path);
      return usage ? [{ folder, free: usage.free, size: usage.size }] : [];
    });
    return (await Promise.all(usages)).flat();
  }
}

async function readUsage(path: string): Promise<MeasuredDisk | null> {
  const stats = await statfs(path).catch(() => null);
  return (
    stats && {
      ...{ free: stats.bavail * stats.bsize, size: stats.blocks * stats.bsize },
      ...{ inodes: stats.files, freeInodes: stats.ffree },
    }
  );
}
