import type { FleetRoute } from '../../workers/fleet-routes.js';
import type { ReadyTask } from './lock-ready-runs.js';

/** A run that competes for free dispatches. */
interface Candidate {
  id: bigint;
  vault: string;
  /** Runs of a vault with a higher priority are served before those with a lower one. */
  priority: number;
  parallelism: number;
  /** Dispatches that it has already in the fleet, and in others. */
  dispatched: number;
  elsewhere: number;
  /** Dispatches that all runs of its vault have already. */
  vaultDispatched: number;
  /** Dispatches that all runs of its vault may have. */
  vaultLimit: number;
  /** Tasks that are ready. */
  ready: number;
  /** Whether they take little time. */
  isShort: boolean;
}

export interface DispatchLimits {
  /** Dispatches that the workers of all fleets can run at once. */
  slots: number;
  /** Dispatches that the runs of one vault may have at once, if its plan has no limit of its own. */
  perVault: number;
}

/**
 * Shares the free dispatches of a fleet one by one: each goes to the vault that has the fewest, there to the runs with the highest
 * priority, and among these to the one that has the fewest. Runs that are equal are served in their order.
 */
export function shareDispatches(
  runs: Candidate[],
  free: number,
  { slots, route }: Pick<DispatchLimits, 'slots'> & { route: Pick<FleetRoute, 'slots' | 'depth'> },
): Map<bigint, number> {
  const vaults = [...Map.groupBy(runs, ({ vault }) => vault).values()].map((candidates) => ({
    dispatched: candidates[0]?.vaultDispatched ?? 0,
    limit: candidates[0]?.vaultLimit ?? 0,
    runs: candidates
      .map((run) => ({ ...run, limit: Math.min(limitOf(run, slots, route), run.dispatched + run.ready), share: 0 }))
      .toSorted((a, b) => b.priority - a.priority),
  }));
  const shares = new Map<bigint, number>();
  for (let left = free; left > 0; left--) {
    const [next] = vaults
      .filter((vault) => vault.dispatched < vault.limit)
      .toSorted((a, b) => a.dispatched - b.dispatched)
      .flatMap((vault) => {
        const run = chooseRun(vault.runs);
        return run ? [{ vault, run }] : [];
      });
    if (!next) break;
    next.run.share++;
    next.vault.dispatched++;
    shares.set(next.run.id, next.run.share);
  }
  return shares;
}

type SharingRun = Candidate & { limit: number; share: number };

/** The run of a vault that gets the next dispatch. The runs are in the order of their priority. */
function chooseRun(runs: SharingRun[]): SharingRun | null {
  let chosen: SharingRun | null = null;
  for (const run of runs) {
    if (chosen && run.priority < chosen.priority) break;
    if (run.dispatched + run.share >= run.limit) continue;
    if (!chosen || run.dispatched + run.share < chosen.dispatched + chosen.share) chosen = run;
  }
  return chosen;
}

/**
 * A run that may use all slots also keeps one dispatch waiting behind each, so that no slot is idle while the engine
 * responds. It does so only if its tasks are short, because other runs have to wait behind them.
 */
function limitOf(
  { parallelism, elsewhere, isShort }: Candidate,
  allSlots: number,
  { slots, depth }: Pick<FleetRoute, 'slots' | 'depth'>,
): number {
  if (parallelism < allSlots) return parallelism - elsewhere;
  return isShort ? depth * slots : slots;
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
