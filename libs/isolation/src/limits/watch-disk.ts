import { readFileSync, readdirSync, statSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Limits } from './limits.js';
import { type DiskUsage, measureFolder } from './measure-folder.js';

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

/**
 * Disk space of files that no longer have a name, but that processes have open or mapped (proc(5); only root sees mapped
 * ones). Each file counts once, and only if it is on the disk of one of `folders`: memory has a limit of its own. Files on
 * their way from one process to another (unix(7), SCM_RIGHTS) are listed nowhere; the kernel limits them to the number of
 * files that a user may have open.
 */
async function measureUnlinkedFiles(processes: Iterable<number>, folders: readonly string[]): Promise<DiskUsage> {
  const disks = new Set(folders.map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev));
  const seen = new Map<number, number>();
  for (const id of processes) {
    for (const path of [...listOpenFiles(id), ...listMappedFiles(id)]) {
      const stats = attempt(() => statSync(path));
      if (stats?.nlink === 0 && stats.isFile() && disks.has(stats.dev)) seen.set(stats.ino, stats.blocks * 512);
    }
    await yieldToEventLoop();
  }
  return { entries: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

const listOpenFiles = (id: number): string[] =>
  (attempt(() => readdirSync(`/proc/${id}/fd`)) ?? []).map((name) => `/proc/${id}/fd/${name}`);

function listMappedFiles(id: number): string[] {
  const lines = (attempt(() => readFileSync(`/proc/${id}/maps`, 'latin1')) ?? '').split('\n');
  const unnamed = lines.filter((line) => line.endsWith(' (deleted)'));
  return unnamed.map((line) => `/proc/${id}/map_files/${line.slice(0, line.indexOf(' '))}`);
}

/** A process can end at any time, and its id can then belong to another one. */
function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
