import type { Database, Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { PlanStore } from '../plans/plan-store.js';
import { runColumns, type LockedRuns } from '../transaction/lock-runs.js';
import { LockedRun, type RunRow } from '../transaction/locked-run.js';

export interface ReadyTask {
  segment: number;
  index: number;
}

/** A run with tasks that may be dispatched. */
export interface ReadyRun {
  run: LockedRun;
  /** Current dispatches of this run. */
  dispatched: number;
  /** Current dispatches of all runs. */
  totalDispatched: number;
  /** Later segments come first, so that the run finishes started work before it starts more. */
  tasks: ReadyTask[];
}

/** Runs locked in one transaction. */
export const MAX_READY_RUNS = 100;

/** Dispatches that may exist at once: one runs in each slot, and one more waits for it. */
export const maxDispatches = (slots: number): number => 2 * slots;

/** SQL condition: the run has a ready task, and fewer dispatches than it may have. */
const canDispatch = (slots: number): Prisma.Sql => Prisma.sql`
  finished_at IS NULL AND status <> 'STOPPING'
    AND (SELECT count(*) FROM runs.dispatch d WHERE d.run_id = run.id)
      < CASE WHEN parallelism >= ${slots}::int THEN ${maxDispatches(slots)}::int ELSE parallelism END
    AND EXISTS (SELECT 1 FROM runs.task t
      WHERE t.run_id = run.id AND t.state = 'READY' AND (t.not_before IS NULL OR t.not_before <= now()))`;

/** Whether any task can be dispatched, and the workers have room for it. */
export async function isAnyReady({ client }: Database, slots: number): Promise<boolean> {
  const [row] = await client.$queryRaw<{ any: boolean }[]>`
    SELECT (SELECT count(*) FROM runs.dispatch) < ${maxDispatches(slots)}::int
      AND EXISTS (SELECT 1 FROM runs.run WHERE ${canDispatch(slots)}) AS any`;
  return row?.any ?? false;
}

/**
 * Locks the runs to dispatch from, those with the fewest dispatches first, at most as many as there is room for. Leaves out
 * runs that already have all dispatches they may have. Skips runs that another transaction has locked, so that no two
 * transactions deadlock; the other transaction dispatches the tasks of those runs itself.
 * @param slots dispatches that all workers can run at once
 * @param batchSize maximum number of tasks in one dispatch
 * @param locked runs that the transaction has locked already
 */
export async function lockReadyRuns(
  tx: Transaction,
  plans: PlanStore,
  slots: number,
  batchSize: number,
  locked: LockedRuns,
): Promise<ReadyRun[]> {
  const limit = maxDispatches(slots);
  const rows = await tx.$queryRaw<
    (RunRow & { dispatched: number; totalDispatched: number; tasks: ReadyTask[] | null })[]
  >`
    SELECT ${runColumns},
      (SELECT count(*)::int FROM runs.dispatch d WHERE d.run_id = run.id) AS dispatched,
      (SELECT count(*)::int FROM runs.dispatch) AS "totalDispatched",
      (SELECT jsonb_agg(t) FROM (
        SELECT segment, index FROM runs.task
        WHERE run_id = run.id AND state = 'READY' AND (not_before IS NULL OR not_before <= now())
        ORDER BY segment DESC, index LIMIT ${limit * batchSize}::int) t) AS tasks
    FROM runs.run
    WHERE ${canDispatch(slots)}
    ORDER BY dispatched, id
    LIMIT least(${MAX_READY_RUNS}::int, greatest(0, ${limit}::int - (SELECT count(*) FROM runs.dispatch)))
    FOR UPDATE SKIP LOCKED`;
  const now = new Date();
  const ready = rows.map(async ({ dispatched, totalDispatched, tasks, ...row }) => {
    const run = locked.get(row.id) ?? new LockedRun(row, await plans.load(row.plan), now);
    return { run, dispatched, totalDispatched, tasks: run.isEnding ? [] : (tasks ?? []) };
  });
  return Promise.all(ready);
}
