import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Recycler } from './wipe-folder.js';

/** Mode of a file that its owner can read and write. */
const OWNER_READ_WRITE = 0o600;

/** Leaves empty log files in place. Most commands leave at least one, and it is as good as a new file. */
export function recycleEmptyLogs(folder: string): Recycler {
  const logs = ['stdout', 'stderr'].map((name) => Buffer.from(join(folder, name)));
  return {
    recycleFile(path) {
      if (!logs.some((log) => log.equals(path))) return false;
      const { size, nlink, mode } = lstatSync(path);
      return size === 0 && nlink === 1 && (mode & OWNER_READ_WRITE) === OWNER_READ_WRITE;
    },
    recycleFolder: () => false,
  };
}
