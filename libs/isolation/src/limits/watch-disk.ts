import { type Limits } from './limits.js';
import { measureFolder } from './measure-folder.js';
import { measureUnlinkedFiles } from './measure-unlinked-files.js';

const SAMPLE_INTERVAL_MS = 500;

export interface DiskWatch {
  /** Which bound was passed, if one was. */
  exceeded(): 'disk' | 'files' | null;
  stop(): void;
}

/**
 * Measures folders that a command writes to while it runs, and calls `onExceeded` once where they pass the bounds together.
 * From the second look on files count as well that its `processes` keep without a name.
 */
export function watchDisk(
  folders: readonly string[],
  limits: Limits,
  processes: () => Promise<readonly number[]>,
  onExceeded: () => void,
): DiskWatch {
  const most = { bytes: limits.diskBytes, entries: limits.diskEntries };
  let killReason: 'disk' | 'files' | null = null;
  let over = false;
  let looks = 0;
  const sample = async () => {
    const begun = Date.now();
    const used = await Promise.all(folders.map((path) => measureFolder(path, most)));
    // Most commands are over by then, and it costs more than their folders do.
    if (looks++ > 0 && !over) used.push(await measureUnlinkedFiles(await processes(), folders));
    if (over) return;
    if (used.reduce((sum, one) => sum + one.bytes, 0) > most.bytes) killReason = 'disk';
    else if (used.reduce((sum, one) => sum + one.entries, 0) > most.entries) killReason = 'files';
    if (killReason !== null) return onExceeded();
    timer = setTimeout(() => void sample(), Math.max(SAMPLE_INTERVAL_MS, 10 * (Date.now() - begun)));
  };
  let timer = setTimeout(() => void sample(), SAMPLE_INTERVAL_MS);
  const stop = () => {
    over = true;
    clearTimeout(timer);
  };
  return { exceeded: () => killReason, stop };
}
