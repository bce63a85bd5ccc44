import type { Database, Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { PlanStore } from '../plans/plan-store.js';
import { LockedRun, runColumns, type RunRow } from '../transaction/locked-run.js';

export interface ReadyTask {
  segment: number;
  index: number;
}

/** A run with tasks that may be handed out. */
export interface ReadyRun {
  run: LockedRun;
  /** Dispatches that are out: of this run, and of all. */
  out: number;
  allOut: number;
  /** Later segments first, so that what was begun is brought to its end. */
  tasks: ReadyTask[];
}

/** Runs looked at in one go. */
export const MAX_RUNS = 100;

/** Whether a run has a ready task, and less out than it may. */
const mayHandOut = (slots: number): Prisma.Sql => Prisma.sql`
  finished_at IS NULL AND status <> 'STOPPING'
    AND (SELECT count(*) FROM runs.dispatch d WHERE d.run_id = run.id)
      < CASE WHEN parallelism >= ${slots}::int THEN ${2 * slots}::int ELSE parallelism END
    AND EXISTS (SELECT 1 FROM runs.task t
      WHERE t.run_id = run.id AND t.state = 'READY' AND (t.not_before IS NULL OR t.not_before <= now()))`;

/** Whether there is anything to hand out, and room for it. */
export async function isAnyReady({ client }: Database, slots: number): Promise<boolean> {
  const [row] = await client.$queryRaw<{ any: boolean }[]>`
    SELECT (SELECT count(*) FROM runs.dispatch) < ${2 * slots}::int
      AND EXISTS (SELECT 1 FROM runs.run WHERE ${mayHandOut(slots)}) AS any`;
  return row?.any ?? false;
}

/**
 * Locks the runs whose turn it is, those with the least out first, no more than there is room for. Runs that have out as
 * much as they may are not among them, nor are those that another transaction holds, so that nobody waits in a circle: it
 * looks for itself before it ends.
 * @param slots dispatches that the fleet takes at once; twice as many may be out
 * @param batch tasks that may travel in one dispatch
 * @param held runs that the transaction has locked already
 */
export async function lockReadyRuns(
  tx: Transaction,
  plans: PlanStore,
  slots: number,
  batch: number,
  held: Map<bigint, LockedRun>,
): Promise<ReadyRun[]> {
  const most = 2 * slots;
  const rows = await tx.$queryRaw<(RunRow & { out: number; allOut: number; tasks: ReadyTask[] | null })[]>`
    SELECT ${runColumns},
      (SELECT count(*)::int FROM runs.dispatch d WHERE d.run_id = run.id) AS out,
      (SELECT count(*)::int FROM runs.dispatch) AS "allOut",
      (SELECT jsonb_agg(t) FROM (
        SELECT segment, index FROM runs.task
        WHERE run_id = run.id AND state = 'READY' AND (not_before IS NULL OR not_before <= now())
        ORDER BY segment DESC, index LIMIT ${most * batch}::int) t) AS tasks
    FROM runs.run
    WHERE ${mayHandOut(slots)}
    ORDER BY out, id
    LIMIT least(${MAX_RUNS}::int, greatest(0, ${most}::int - (SELECT count(*) FROM runs.dispatch)))
    FOR UPDATE SKIP LOCKED`;
  const now = new Date();
  const ready = rows.map(async ({ out, allOut, tasks, ...row }) => {
    const run = held.get(row.id) ?? new LockedRun(row, await plans.load(row.plan), now);
    return { run, out, allOut, tasks: run.isEnding ? [] : (tasks ?? []) };
  });
  return Promise.all(ready);
}
