import { readFileSync, readdirSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DiskUsage } from './measure-folder.js';

/**
 * Space of files that have no name any more and are kept by processes which have them open, or mapped (proc(5): this is seen
 * by root alone). Each counts once, and only where it lies on a disk of `folders`: what is in memory is bounded as such. Files
 * that are under way from process to process (unix(7), SCM_RIGHTS) nothing lists; the kernel lets a user have as many of them
 * as it may have files open.
 */
export async function measureUnlinkedFiles(
  processes: Iterable<number>,
  folders: readonly string[],
): Promise<DiskUsage> {
  const disks = new Set(folders.map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev));
  const seen = new Map<number, number>();
  for (const id of processes) {
    for (const path of [...openFiles(id), ...mappedFiles(id)]) {
      const stats = tolerate(() => statSync(path));
      if (stats?.nlink === 0 && stats.isFile() && disks.has(stats.dev)) seen.set(stats.ino, stats.blocks * 512);
    }
    await nextTurn();
  }
  return { entries: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

const openFiles = (id: number): string[] =>
  (tolerate(() => readdirSync(`/proc/${id}/fd`)) ?? []).map((name) => `/proc/${id}/fd/${name}`);

function mappedFiles(id: number): string[] {
  const lines = (tolerate(() => readFileSync(`/proc/${id}/maps`, 'latin1')) ?? '').split('\n');
  const unnamed = lines.filter((line) => line.endsWith(' (deleted)'));
  return unnamed.map((line) => `/proc/${id}/map_files/${line.slice(0, line.indexOf(' '))}`);
}

/** A process ends whenever it likes, and may be somebody else's for a moment. */
function tolerate<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
