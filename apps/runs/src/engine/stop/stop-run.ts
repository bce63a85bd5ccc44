import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { fetchId } from '../../inputs/input-fetch.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { finishGroups } from '../settle/finish-groups.js';
import type { LockedRun } from '../transaction/locked-run.js';

type StoppedSubjob = { id: bigint; step: number; task: number; taskCount: number | null };

/** Why a run stops: a user stops it, or it fails with an error, for example because it exceeded its timeout. */
type StopReason = { stoppedBy: string } | { error: string };

/**
 * Stops a run. Subjobs that have not started end at once; running processes are cancelled. The run gets its final status
 * when the last process has ended.
 * @returns ids of the dispatches, and of the fetch of inputs, to cancel at the workers
 */
export async function stopRun(tx: Transaction, run: LockedRun, reason: StopReason): Promise<string[]> {
  if (run.isEnding) return [];
  if ('error' in reason) run.error ??= reason.error;
  else run.stoppedBy = reason.stoppedBy;
  run.setStatus('STOPPING');
  await stopWaitingSubjobs(tx, run);
  await stopRunningSubjobs(tx, run);
  await endIdleTasks(tx, run);
  await recountSegments(tx, run);
  const dispatches = await tx.dispatch.findMany({ where: { runId: run.id }, select: { id: true, worker: true } });
  await tx.dispatch.deleteMany({ where: { runId: run.id, worker: null } });
  await tx.dispatch.updateMany({ where: { runId: run.id }, data: { cancelled: true } });
  return [...dispatches.map(({ id }) => String(id)), ...(await stopFetching(tx, run))];
}

/** The run ignores inputs that a worker fetches from now on. */
async function stopFetching(tx: Transaction, run: LockedRun): Promise<string[]> {
  if (!run.row.fetching) return [];
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
  return [fetchId(run.id)];
}

/** Includes task groups whose split has started but that have no children yet: the run does not wait for their split. */
async function stopWaitingSubjobs(tx: Transaction, run: LockedRun): Promise<void> {
  const scopedSteps = run.plan.plan.steps.filter(({ scope }) => scope !== null).map(({ index }) => index);
  const groups = await tx.$queryRaw<StoppedSubjob[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}
    WHERE run_id = ${run.id} AND status = 'RUNNING' AND task = 0 AND task_count IS NULL AND step = ANY(${scopedSteps}::int[])
    RETURNING id, step, task, task_count AS "taskCount"`;
  for (const group of groups) run.recordTransition(group, 'RUNNING', 'STOPPED');
  const waiting = await tx.$queryRaw<StoppedSubjob[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}, message = coalesce(${run.error}, message)
    WHERE run_id = ${run.id} AND status = 'PENDING' RETURNING id, step, task, task_count AS "taskCount"`;
  await forEachYielding(waiting, (subjob) => run.recordTransition(subjob, 'PENDING', 'STOPPED'));
}

async function stopRunningSubjobs(tx: Transaction, run: LockedRun): Promise<void> {
  const running = await tx.$queryRaw<StoppedSubjob[]>`
    UPDATE runs.subjob SET status = 'STOPPING'
    WHERE run_id = ${run.id} AND status = 'RUNNING' AND task_count IS NULL RETURNING id, step, task, task_count AS "taskCount"`;
  for (const subjob of running) run.recordTransition(subjob, 'RUNNING', 'STOPPING');
}

/** Ends every task of the run that has no running process. */
async function endIdleTasks(tx: Transaction, run: LockedRun): Promise<void> {
  const { steps } = run.plan.plan;
  await tx.$executeRaw`
    UPDATE runs.task AS t SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
    WHERE t.run_id = ${run.id} AND t.state <> 'DONE' AND NOT EXISTS (
      SELECT 1 FROM unnest(${steps.map(({ index }) => index)}::int[], ${steps.map(({ segment }) => segment)}::int[]) AS p(step, segment)
      JOIN runs.subjob s ON s.run_id = t.run_id AND s.step = p.step AND s.task = t.index
      WHERE p.segment = t.segment AND s.status = 'STOPPING')`;
}

/** Counts the ended tasks of each segment again. A segment that was never split has no children. */
async function recountSegments(tx: Transaction, run: LockedRun): Promise<void> {
  const rows = await tx.$queryRaw<{ segment: number; isOpen: boolean }[]>`
    UPDATE runs.segment AS s SET total = coalesce(s.total, 0), broken = greatest(s.broken, 1), settled = d.settled
    FROM (SELECT s.segment, count(t.index) FILTER (WHERE t.state = 'DONE')::int AS settled
      FROM runs.segment s LEFT JOIN runs.task t ON t.run_id = s.run_id AND t.segment = s.segment
      WHERE s.run_id = ${run.id} GROUP BY s.segment) d
    WHERE s.run_id = ${run.id} AND s.segment = d.segment
    RETURNING s.segment, s.settled < s.total AS "isOpen"`;
  run.openSegments = rows.filter(({ isOpen }) => isOpen).length;
  for (const { segment, isOpen } of rows) if (!isOpen) await finishGroups(tx, run, segment);
}

/** Fails a run that has not started: all of its subjobs are skipped. */
export async function failRun(tx: Transaction, run: LockedRun, error: string): Promise<void> {
  run.error ??= error;
  const steps = run.plan.plan.steps.map(({ index }) => index);
  await endSubjobs(tx, run, steps, 'groups', 'SKIPPED', 'skipped: the inputs of the run could not be fetched');
  await endIdleTasks(tx, run);
  await recountSegments(tx, run);
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
}
