import { runDispatch } from '@millrace/contracts/runs/engine';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { PlanStore } from '../plans/plan-store.js';
import { ENGINE_TRANSACTION } from '../transaction/engine-transaction.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { writeRuns, type Told } from '../transaction/write-runs.js';
import { buildPayloads, type Handout } from './build-payloads.js';
import { claimTasks } from './claim-tasks.js';
import type { Pace } from './duration-estimator.js';
import { isAnyReady, lockReadyRuns, MAX_RUNS, type ReadyRun, type ReadyTask } from './lock-ready-runs.js';
import type { GatherStore } from './output-lists.js';

export interface ReleaseContext {
  plans: PlanStore;
  gathers: GatherStore;
  pace: Pace;
  /** Dispatches that the fleet takes at once. */
  slots: number;
}

export interface Release {
  /** Runs that may have changed. */
  runs: LockedRun[];
  /** There was room for more than was found: what another transaction commits meanwhile must be looked for again. */
  hasRoom: boolean;
}

/** Hands out what is ready in a transaction of its own; costs one question where nothing is. */
export async function releaseTasks(
  database: Database,
  context: ReleaseContext,
): Promise<{ told: Told[]; /** There may be more to hand out at once. */ more: boolean }> {
  if (!(await isAnyReady(database, context.slots))) return { told: [], more: false };
  return database.transaction(async (tx) => {
    const { runs } = await handOut(tx, context, new Map());
    return { told: await writeRuns(tx, runs), more: runs.length === MAX_RUNS };
  }, ENGINE_TRANSACTION);
}

/**
 * Hands out ready tasks. Only as many dispatches are out as the fleet can take now, plus one a slot (but not of one run
 * with long tasks alone); the rest waits in Postgres. Slots go round the runs, those with the least out first, so a small
 * run does not wait behind a large one.
 * @param held runs that the transaction has locked already
 */
export async function handOut(
  tx: Transaction,
  { plans, gathers, pace, slots }: ReleaseContext,
  held: Map<bigint, LockedRun>,
): Promise<Release> {
  if (slots === 0) return { runs: [], hasRoom: false };
  const ready = await lockReadyRuns(tx, plans, slots, pace.most, held);
  const free = 2 * slots - (ready[0]?.allOut ?? 0);
  const candidates = ready.map(({ run, out, tasks: [next] }) => {
    const isShort = next !== undefined && pace.isShort(run.plan.sha256, next.segment);
    return { id: run.id, parallelism: run.row.parallelism, out, isShort };
  });
  const shares = share(candidates, free, slots);
  const handouts = ready.flatMap((one) => cutShare(one, shares.get(one.run.id) ?? 0, pace));
  const claimed = await claimTasks(tx, handouts);
  for (const payload of await buildPayloads(tx, gathers, claimed)) {
    tx.enqueue(runDispatch, payload, { id: `dispatch-${payload.dispatch}` });
  }
  for (const { run } of claimed) if (run.status === 'PENDING') run.setStatus('SUBMITTED');
  return { runs: ready.map(({ run }) => run), hasRoom: claimed.length < free || ready.length === 0 };
}

function cutShare({ run, tasks }: ReadyRun, most: number, pace: Pace): Handout[] {
  if (most === 0) return [];
  return cut(tasks, most, (segment) => pace.batch(run.plan.sha256, segment)).map((part) => ({ run, ...part }));
}

interface Candidate {
  id: bigint;
  parallelism: number;
  /** Dispatches out already. */
  out: number;
  /** Whether what is ready takes little time. */
  isShort: boolean;
}

/** Dispatches that each run may put out: one each in turn, until the free ones are gone. */
export function share(runs: Candidate[], free: number, slots: number): Map<bigint, number> {
  const shares = new Map<bigint, number>();
  let left = free;
  for (let round = 1; left > 0 && round <= free; round++) {
    const before = left;
    for (const { id, parallelism, out, isShort } of runs) {
      // A run that may fill the whole fleet has as much again wait at the workers, so that their slots need not wait for
      // word; but only where that is short, for whoever comes next waits behind it.
      const most = parallelism < slots ? parallelism : isShort ? 2 * slots : slots;
      if (left === 0 || out + (shares.get(id) ?? 0) >= most) continue;
      shares.set(id, (shares.get(id) ?? 0) + 1);
      left--;
    }
    if (left === before) break;
  }
  return shares;
}

/** Cuts ready tasks into at most `share` dispatches of one segment each, as even as their number allows. */
export function cut(
  tasks: ReadyTask[],
  share: number,
  batchOf: (segment: number) => number,
): { segment: number; tasks: ReadyTask[] }[] {
  const parts: { segment: number; tasks: ReadyTask[] }[] = [];
  for (const [segment, own] of Map.groupBy(tasks, (task) => task.segment)) {
    const size = Math.max(1, Math.min(batchOf(segment), Math.ceil(own.length / share)));
    for (let from = 0; from < own.length && parts.length < share; from += size) {
      parts.push({ segment, tasks: own.slice(from, from + size) });
    }
  }
  return parts;
}
