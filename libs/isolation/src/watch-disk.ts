import { type Limits } from './limits.js';
import { measureFolder } from './measure-folder.js';

const SAMPLE_MS = 500;

export interface DiskWatch {
  /** Which bound was passed, if one was. */
  breach(): 'disk' | 'files' | null;
  end(): void;
}

/** Measures folders that a command writes to while it runs, and calls `onBreach` once where they pass the bounds together. */
export function watchDisk(folders: readonly string[], limits: Limits, onBreach: () => void): DiskWatch {
  const most = { bytes: limits.diskBytes, entries: limits.diskEntries };
  let breach: 'disk' | 'files' | null = null;
  let over = false;
  const sample = async () => {
    const begun = Date.now();
    const used = await Promise.all(folders.map((path) => measureFolder(path, most)));
    if (over) return;
    if (used.reduce((sum, one) => sum + one.bytes, 0) > most.bytes) breach = 'disk';
    else if (used.reduce((sum, one) => sum + one.entries, 0) > most.entries) breach = 'files';
    if (breach !== null) return onBreach();
    timer = setTimeout(() => void sample(), Math.max(SAMPLE_MS, 10 * (Date.now() - begun)));
  };
  let timer = setTimeout(() => void sample(), SAMPLE_MS);
  const end = () => {
    over = true;
    clearTimeout(timer);
  };
  return { breach: () => breach, end };
}
