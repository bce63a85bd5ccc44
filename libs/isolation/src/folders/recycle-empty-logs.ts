import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Recycler } from './wipe-folder.js';

/** Readable and writable by their owner. */
const OWNER_READ_WRITE = 0o600;

/** Logs of commands that print nothing are the rule; such a file is as good as a new one, and stays where it is. */
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
