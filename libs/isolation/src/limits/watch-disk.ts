import { type Limits } from './limits.js';
import { measureFolder } from './measure-folder.js';
import { measureUnlinkedFiles } from './measure-unlinked-files.js';

const SAMPLE_INTERVAL_MS = 500;

export interface DiskWatch {
  /** The limit that was exceeded; null if none. */
  exceeded(): 'disk' | 'files' | null;
  stop(): void;
}

/**
 * Measures the folders that a command writes to while it runs, and calls `onExceeded` once if together they exceed a limit.
 * From the second sample on it also counts files without a name that the command's `processes` have open.
 */
export function watchDisk(
  folders: readonly string[],
  limits: Limits,
  processes: () => Promise<readonly number[]>,
  onExceeded: () => void,
): DiskWatch {
  const limit = { bytes: limits.diskBytes, entries: limits.diskEntries };
  let exceeded: 'disk' | 'files' | null = null;
  let isStopped = false;
  let samples = 0;
  const sample = async () => {
    const startedAt = Date.now();
    const used = await Promise.all(folders.map((path) => measureFolder(path, limit)));
    // Not in the first sample: limit commands end before the second one, and it takes longer than measuring folders.
    if (samples++ > 0 && !isStopped) used.push(await measureUnlinkedFiles(await processes(), folders));
    if (isStopped) return;
    if (used.reduce((sum, one) => sum + one.bytes, 0) > limit.bytes) exceeded = 'disk';
    else if (used.reduce((sum, one) => sum + one.entries, 0) > limit.entries) exceeded = 'files';
    if (exceeded !== null) return onExceeded();
    timer = setTimeout(() => void sample(), Math.max(SAMPLE_INTERVAL_MS, 10 * (Date.now() - startedAt)));
  };
  let timer = setTimeout(() => void sample(), SAMPLE_INTERVAL_MS);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { exceeded: () => exceeded, stop };
}
