import { readFileSync, readdirSync, statSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DiskUsage } from './measure-folder.js';

/**
 * Disk space of files that no longer have a name, but that processes have open or mapped (proc(5); only root sees mapped
 * ones). Each file counts once, and only if it is on the disk of one of `folders`: memory has a limit of its own. Files on
 * their way from one process to another (unix(7), SCM_RIGHTS) are listed nowhere; the kernel limits them to the number of
 * files that a user may have open.
 */
export async function measureUnlinkedFiles(
  processes: Iterable<number>,
  folders: readonly string[],
): Promise<DiskUsage> {
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
