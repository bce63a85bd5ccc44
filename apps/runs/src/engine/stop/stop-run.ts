import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { fetchId } from '../../inputs/input-fetch.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { endIdleTasks, recountSegments } from './end-tasks.js';

type StoppedSubjob = { id: bigint; step: number; task: number; taskCount: number | null };

/** Why a run stops: a user stops it, or it fails with an error (it exceeded its timeout, say). */
type StopReason = { stoppedBy: string } | { error: string };

/**
 * Stops a run. What has not started ends at once; running processes are cancelled. The run has its final status when the
 * last process has ended.
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
