import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/for-each-yielding';
import { fetchIdOf } from '../../inputs/input-fetch.js';
import { finishGroups } from '../settle/finish-groups.js';
import type { LockedRun } from '../transaction/locked-run.js';

type Row = { id: bigint; step: number; task: number; taskCount: number | null };

/**
 * Stops a run: what has not begun is over at once, what runs is told to end. The run has its final status when the
 * last process has ended.
 * @param error why, where the run failed by this (its time is up) instead of being stopped by somebody
 * @param by who stopped it, where it was a person
 * @returns dispatches, and the fetch of inputs, whose workers must be told
 */
export async function stopRun(
  tx: Transaction,
  run: LockedRun,
  error: string | null,
  by: string | null = null,
): Promise<string[]> {
  if (run.isEnding) return [];
  run.error ??= error;
  run.stoppedBy = by ?? run.stoppedBy;
  run.setStatus('STOPPING');
  await endWaiting(tx, run);
  await tellRunning(tx, run);
  await endIdleTasks(tx, run);
  await recountSegments(tx, run);
  const out = await tx.dispatch.findMany({ where: { runId: run.id }, select: { id: true, worker: true } });
  await tx.dispatch.deleteMany({ where: { runId: run.id, worker: null } });
  await tx.dispatch.updateMany({ where: { runId: run.id }, data: { cancelled: true } });
  return [...out.map(({ id }) => String(id)), ...(await stopFetching(tx, run))];
}

/** What a worker brings in from now on is for nobody. */
async function stopFetching(tx: Transaction, run: LockedRun): Promise<string[]> {
  if (!run.row.fetching) return [];
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
  return [fetchIdOf(run.id)];
}

/** Also groups that have begun to split but have no children yet: their split is not waited for. */
async function endWaiting(tx: Transaction, run: LockedRun): Promise<void> {
  const scoped = run.plan.plan.steps.filter(({ scope }) => scope !== null).map(({ index }) => index);
  const groups = await tx.$queryRaw<Row[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}
    WHERE run_id = ${run.id} AND status = 'RUNNING' AND task = 0 AND task_count IS NULL AND step = ANY(${scoped}::int[])
    RETURNING id, step, task, task_count AS "taskCount"`;
  for (const group of groups) run.move(group, 'RUNNING', 'STOPPED');
  const waiting = await tx.$queryRaw<Row[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}, message = coalesce(${run.error}, message)
    WHERE run_id = ${run.id} AND status = 'PENDING' RETURNING id, step, task, task_count AS "taskCount"`;
  await forEachYielding(waiting, (subjob) => run.move(subjob, 'PENDING', 'STOPPED'));
}

async function tellRunning(tx: Transaction, run: LockedRun): Promise<void> {
  const running = await tx.$queryRaw<Row[]>`
    UPDATE runs.subjob SET status = 'STOPPING'
    WHERE run_id = ${run.id} AND status = 'RUNNING' AND task_count IS NULL RETURNING id, step, task, task_count AS "taskCount"`;
  for (const subjob of running) run.move(subjob, 'RUNNING', 'STOPPING');
}

/** Ends every task that has no process running. */
export async function endIdleTasks(tx: Transaction, run: LockedRun): Promise<void> {
  const { steps } = run.plan.plan;
  await tx.$executeRaw`
    UPDATE runs.task AS t SET state = 'DONE', dispatch = NULL
    WHERE t.run_id = ${run.id} AND t.state <> 'DONE' AND NOT EXISTS (
      SELECT 1 FROM unnest(${steps.map(({ index }) => index)}::int[], ${steps.map(({ segment }) => segment)}::int[]) AS p(step, segment)
      JOIN runs.subjob s ON s.run_id = t.run_id AND s.step = p.step AND s.task = t.index
      WHERE p.segment = t.segment AND s.status = 'STOPPING')`;
}

/** Counts what has ended; a segment that was never split has no children. */
export async function recountSegments(tx: Transaction, run: LockedRun): Promise<void> {
  const rows = await tx.$queryRaw<{ segment: number; is_open: boolean }[]>`
    UPDATE runs.segment AS s SET total = coalesce(s.total, 0), broken = greatest(s.broken, 1), settled = d.settled
    FROM (SELECT s.segment, count(t.index) FILTER (WHERE t.state = 'DONE')::int AS settled
      FROM runs.segment s LEFT JOIN runs.task t ON t.run_id = s.run_id AND t.segment = s.segment
      WHERE s.run_id = ${run.id} GROUP BY s.segment) d
    WHERE s.run_id = ${run.id} AND s.segment = d.segment
    RETURNING s.segment, s.settled < s.total AS is_open`;
  run.openSegments = rows.filter((row) => row.is_open).length;
  for (const row of rows) if (!row.is_open) await finishGroups(tx, run, row.segment);
}
