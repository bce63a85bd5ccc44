import type { ReadyTask } from './lock-ready-runs.js';

/** A run that competes for free dispatches. */
interface Candidate {
  id: bigint;
  parallelism: number;
  /** Dispatches that it has already. */
  dispatched: number;
  /** Whether its ready tasks take little time. */
  isShort: boolean;
}

/** Shares the free dispatches among runs: each gets one in turn until none is left. */
export function shareDispatches(runs: Candidate[], free: number, slots: number): Map<bigint, number> {
  const shares = new Map<bigint, number>();
  let left = free;
  for (let round = 1; left > 0 && round <= free; round++) {
    const before = left;
    for (const run of runs) {
      const share = shares.get(run.id) ?? 0;
      if (left === 0 || run.dispatched + share >= limitOf(run, slots)) continue;
      shares.set(run.id, share + 1);
      left--;
    }
    if (left === before) break;
  }
  return shares;
}

/**
 * A run that may use all slots also keeps one dispatch waiting behind each, so that no slot is idle while the engine
 * responds. It does so only if its tasks are short, because other runs have to wait behind them.
 */
function limitOf({ parallelism, isShort }: Candidate, slots: number): number {
  if (parallelism < slots) return parallelism;
  return isShort ? 2 * slots : slots;
}

/** Divides ready tasks into at most `share` dispatches of one segment each, as evenly as their number allows. */
export function divideTasks(
  tasks: ReadyTask[],
  share: number,
  batchSizeOf: (segment: number) => number,
): { segment: number; tasks: ReadyTask[] }[] {
  const parts: { segment: number; tasks: ReadyTask[] }[] = [];
  for (const [segment, segmentTasks] of Map.groupBy(tasks, (task) => task.segment)) {
    const size = Math.max(1, Math.min(batchSizeOf(segment), Math.ceil(segmentTasks.length / share)));
    for (let from = 0; from < segmentTasks.length && parts.length < share; from += size) {
      parts.push({ segment, tasks: segmentTasks.slice(from, from + size) });
    }
  }
  return parts;
}
