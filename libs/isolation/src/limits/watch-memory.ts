import { readFileSync } from 'node:fs';

const MIN_SAMPLE_INTERVAL_MS = 100;
/** The pause after a sample is this many times as long as the sample took. */
const PAUSE_FACTOR = 20;

export interface MemoryWatch {
  /** Whether the command has used more than its limit. */
  exceeded(): boolean;
  stop(): void;
}

/**
 * Measures the memory of a command's processes ten times a second, and calls `onExceeded` once if they use more than `bytes`
 * together. It is for machines without a control group: a command can exceed the limit for a moment, and is not noticed if
 * it frees the memory before the next sample.
 */
export function watchMemory(
  bytes: number,
  processes: () => Promise<readonly number[]>,
  onExceeded: () => void,
): MemoryWatch {
  let exceeded = false;
  let isStopped = false;
  const sample = async () => {
    const startedAt = Date.now();
    const used = measureMemory(await processes(), bytes);
    if (isStopped) return;
    exceeded = used > bytes;
    if (exceeded) return onExceeded();
    timer = setTimeout(() => void sample(), Math.max(MIN_SAMPLE_INTERVAL_MS, PAUSE_FACTOR * (Date.now() - startedAt)));
  };
  let timer = setTimeout(() => void sample(), MIN_SAMPLE_INTERVAL_MS);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { exceeded: () => exceeded, stop };
}

const KIB = 1024;

/**
 * Memory of several processes, in bytes: anonymous and shared memory, but no pages of files (proc(5): `RssAnon` and `RssShmem`
 * of status). At first, pages that several of them share count for each. Only if that sum is above `limit`, shared pages are
 * counted once (`Pss` of smaps_rollup), which is slower: the kernel walks all page tables. Processes that end in the meantime
 * count as nothing.
 */
function measureMemory(processes: Iterable<number>, limit: number): number {
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
