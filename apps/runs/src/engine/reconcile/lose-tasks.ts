import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { Task } from '@millrace/persistence/generated/client';
import { describeLoss, type Loss } from '../../workers/lost-dispatch.js';
import type { PlanStore } from '../plans/plan-store.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { settleTasks } from '../settle/settle-tasks.js';
import type { Settled } from '../settle/settled-tasks.js';
import { lockRunsOf, type LockedRun } from '../transaction/locked-run.js';
import { writeRuns, type Told } from '../transaction/write-runs.js';

/** A task whose worker vanished while it ran is handed out again so many times; then the task itself is at fault. */
const MAX_LOSSES = 3;

/** Ends dispatches whose worker is gone: their tasks run again elsewhere, or end where the run is ending. */
export async function loseDispatches(tx: Transaction, plans: PlanStore, losses: Loss[]): Promise<Told[]> {
  const ids = losses.map(({ dispatch }) => dispatch);
  const { runs } = await lockRunsOf(tx, plans, ids);
  const tasks = await tx.task.findMany({ where: { dispatch: { in: ids } } });
  await tx.dispatch.deleteMany({ where: { id: { in: ids } } });
  for (const [id, lost] of Map.groupBy(tasks, ({ runId }) => runId)) {
    const run = runs.get(id);
    if (run) await loseTasks(tx, run, lost, losses);
  }
  return writeRuns(tx, runs.values());
}

/**
 * Takes back tasks that were out and will never be reported on. A loss counts for the task that ran, and for none that
 * waited behind it in the same dispatch.
 */
export async function loseTasks(tx: Transaction, run: LockedRun, tasks: Task[], losses: Loss[]): Promise<void> {
  const settled: Settled[] = [];
  // A dispatch is one segment's.
  for (const [dispatch, lost] of Map.groupBy(tasks, (task) => task.dispatch)) {
    const segment = lost[0]?.segment ?? 0;
    const what = describeLoss(losses.find((loss) => loss.dispatch === dispatch) ?? unknownLoss(dispatch));
    // Tasks of a dispatch run in the order of their indexes, and those that ended are no longer among them.
    const ran = Math.min(...lost.map(({ index }) => index));
    const isOver = (task: Task) => run.isEnding || (task.index === ran && task.losses >= MAX_LOSSES);
    const again = lost.filter((task) => !isOver(task)).map(({ index }) => index);
    const over = lost.filter(isOver).map(({ index }) => index);
    await moveRunning(tx, run, segment, again, 'PENDING', what);
    const stopped = await stoppedAmong(tx, run, segment, again);
    const retried = again.filter((index) => !stopped.has(index));
    await tx.$executeRaw`
      UPDATE runs.task SET state = 'READY', dispatch = NULL, attempt = attempt + 1, losses = losses + (index = ${ran})::int
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${retried}::int[])`;
    const ended = [...over, ...stopped];
    if (ended.length === 0) continue;
    const message = `${what}; it was lost ${MAX_LOSSES + 1} times while this step ran`;
    await moveRunning(tx, run, segment, over, run.isEnding ? 'STOPPED' : 'FAILED', run.isEnding ? null : message);
    await endSubjobs(tx, run, run.plan.segment(segment).steps, ended, run.isEnding ? 'STOPPED' : 'SKIPPED');
    await tx.$executeRaw`
      UPDATE runs.task SET state = 'DONE', dispatch = NULL
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${ended}::int[])`;
    settled.push({ segment, good: [], broken: ended });
  }
  await settleTasks(
    tx,
    settled.map((one) => ({ run, ...one })),
  );
}

const unknownLoss = (dispatch: bigint | null): Loss => ({
  dispatch: dispatch ?? 0n,
  ...{ worker: null, host: null, lastSeen: null, how: 'missing' },
});

/** What ran is put back, or ended; what was being stopped has stopped with its worker. */
async function moveRunning(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  tasks: number[],
  to: SubjobStatus,
  message: string | null,
): Promise<void> {
  if (tasks.length === 0) return;
  const shown = run.plan.segment(segment).steps.filter((step) => !run.plan.isHidden(step));
  const isOver = to !== 'PENDING';
  const moved = await tx.$queryRaw<
    { id: bigint; step: number; task: number; was: SubjobStatus; status: SubjobStatus }[]
  >`
    WITH lost AS (
      INSERT INTO runs.attempt (run_id, subjob_id, attempt, status, message, worker, started_at, finished_at)
      SELECT run_id, id, attempt, 'LOST', ${message}, worker, started_at, ${run.now}
      FROM runs.subjob WHERE ${!isOver} AND run_id = ${run.id} AND step = ANY(${shown}::int[])
        AND task = ANY(${tasks}::int[]) AND status = 'RUNNING'
      ON CONFLICT DO NOTHING)
    UPDATE runs.subjob AS s SET status = CASE WHEN o.status = 'STOPPING' THEN 'STOPPED' ELSE ${to} END,
      message = coalesce(${message}, s.message),
      attempt = s.attempt + CASE WHEN ${isOver} OR o.status = 'STOPPING' THEN 0 ELSE 1 END,
      finished_at = CASE WHEN ${isOver} OR o.status = 'STOPPING' THEN ${run.now}::timestamptz END
    FROM runs.subjob o
    WHERE o.id = s.id AND s.run_id = ${run.id} AND s.step = ANY(${shown}::int[]) AND s.task = ANY(${tasks}::int[])
      AND o.status IN ('RUNNING', 'STOPPING')
    RETURNING s.id, s.step, s.task, o.status AS was, s.status`;
  for (const subjob of moved) run.move(subjob, subjob.was, subjob.status);
}

/** Tasks in which a subjob was stopped by hand: they do not run again. */
async function stoppedAmong(tx: Transaction, run: LockedRun, segment: number, tasks: number[]): Promise<Set<number>> {
  if (tasks.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ task: number }[]>`
    SELECT DISTINCT task FROM runs.subjob WHERE run_id = ${run.id} AND status = 'STOPPED'
      AND step = ANY(${run.plan.segment(segment).steps}::int[]) AND task = ANY(${tasks}::int[])`;
  return new Set(rows.map(({ task }) => task));
}
