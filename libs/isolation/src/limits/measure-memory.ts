import { readFileSync } from 'node:fs';

const KIB = 1024;

/**
 * Memory of several processes, in bytes: anonymous and shared memory, but no pages of files (proc(5): `RssAnon` and `RssShmem`
 * of status). At first, pages that several of them share count for each. Only if that sum is above `limit`, shared pages are
 * counted once (`Pss` of smaps_rollup), which is slower: the kernel walks all page tables. Processes that end in the meantime
 * count as nothing.
 */
export function measureMemory(processes: Iterable<number>, limit: number): number {
  const ids = [...processes];
  const resident = sum(ids, (id) => readKib(`/proc/${id}/status`, /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm));
  if (resident <= limit) return resident;
  return sum(ids, (id) => readKib(`/proc/${id}/smaps_rollup`, /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gm)) || resident;
}

const sum = (ids: number[], bytesOf: (id: number) => number): number =>
  ids.reduce((total, id) => total + bytesOf(id), 0);

function readKib(path: string, lines: RegExp): number {
  try {
    const found = readFileSync(path, 'latin1').matchAll(lines);
    return [...found].reduce((total, [, kib]) => total + Number(kib) * KIB, 0);
  } catch {
    return 0;
  }
}
