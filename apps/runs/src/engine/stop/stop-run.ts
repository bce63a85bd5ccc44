import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { fetchId } from '../../inputs/input-fetch.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { recountSegments } from './recount-segments.js';
import { stopChildren } from './stop-children.js';

export type StoppedSubjob = { id: bigint; step: number; task: number; taskCount: number | null };

/** Why a run stops: a user stops it, or it fails with an error, for example because it exceeded its timeout. */
type StopReason = { stoppedBy: string } | { error: string };

/** A run with more pending subjobs is stopped in further transactions: a million would take half a minute. */
const MAX_STOPPED_AT_ONCE = 10_000;

/**
 * Stops a run. Nothing starts from now on, and running processes are cancelled. Subjobs that have not started end at once; if there
 * are very many, `RunStopper` ends them. The run gets its final status when the last process has ended.
 * @param maxAtOnce subjobs of children that end in this transaction
 * @returns ids of the dispatches, and of the fetch of inputs, to cancel at the workers
 */
export async function stopRun(
  tx: Transaction,
  run: LockedRun,
  reason: StopReason,
  maxAtOnce = MAX_STOPPED_AT_ONCE,
): Promise<string[]> {
  if (run.isEnding) return [];
  if ('error' in reason) run.error ??= reason.error;
  else run.stoppedBy = reason.stoppedBy;
  run.setStatus('STOPPING');
  const dispatches = await tx.dispatch.findMany({ where: { runId: run.id }, select: { id: true } });
  const ids = dispatches.map(({ id }) => id);
  await stopDispatchedTasks(tx, run, ids);
  await stopNodes(tx, run);
  await tx.dispatch.deleteMany({ where: { runId: run.id, worker: null } });
  await tx.dispatch.updateMany({ where: { runId: run.id }, data: { cancelled: true } });
  run.stopNext = { segment: 0, index: 1 };
  if (run.count('pending') <= maxAtOnce) await stopChildren(tx, run);
  return [...ids.map(String), ...(await stopFetching(tx, run))];
}

/** The run ignores inputs that a worker fetches from now on. */
async function stopFetching(tx: Transaction, run: LockedRun): Promise<string[]> {
  if (!run.row.fetching) return [];
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
  return [fetchId(run.id)];
}

/**
 * Stops what workers have, or will have in a moment. These tasks are few, so this costs the same for any number of children. A task
 * whose step is running ends with its process; the others end now, so that no worker starts them.
 */
async function stopDispatchedTasks(tx: Transaction, run: LockedRun, dispatches: bigint[]): Promise<void> {
  if (dispatches.length === 0) return;
  await stopSplits(tx, run);
  const ids = dispatches.map(String);
  const steps = run.plan.plan.steps.map(({ index }) => index);
  const segments = run.plan.plan.steps.map(({ segment }) => segment);
  const stopped = await tx.$queryRaw<(StoppedSubjob & { from: 'PENDING' | 'RUNNING'; to: 'STOPPED' | 'STOPPING' })[]>`
    WITH task AS MATERIALIZED (SELECT run_id, segment, index FROM runs.task WHERE dispatch = ANY(${ids}::bigint[])),
    dispatched AS MATERIALIZED (
      SELECT s.id, s.status FROM task t
      JOIN unnest(${steps}::int[], ${segments}::int[]) AS p(step, segment) ON p.segment = t.segment
      JOIN runs.subjob s ON s.run_id = t.run_id AND s.step = p.step AND s.task = t.index
      WHERE s.run_id = ${run.id} AND s.status IN ('PENDING', 'RUNNING')
        AND (s.status = 'PENDING' OR s.task_count IS NULL))
    UPDATE runs.subjob s SET status = CASE d.status WHEN 'RUNNING' THEN 'STOPPING' ELSE 'STOPPED' END,
      finished_at = CASE d.status WHEN 'PENDING' THEN ${run.now}::timestamptz END,
      message = CASE d.status WHEN 'PENDING' THEN coalesce(${run.error}, s.message) ELSE s.message END
    FROM dispatched d WHERE s.id = d.id
    RETURNING s.id, s.step, s.task, s.task_count AS "taskCount", d.status AS "from", s.status AS "to"`;
  await forEachYielding(stopped, (subjob) => run.recordTransition(subjob, subjob.from, subjob.to));
  await tx.$executeRaw`
    UPDATE runs.task AS t SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
    WHERE t.dispatch = ANY(${ids}::bigint[]) AND NOT EXISTS (
      SELECT 1 FROM unnest(${steps}::int[], ${segments}::int[]) AS p(step, segment)
      JOIN runs.subjob s ON s.run_id = t.run_id AND s.step = p.step AND s.task = t.index
      WHERE p.segment = t.segment AND s.status = 'STOPPING')`;
}

/** Stops task groups whose split has started but that have no children yet: the run does not wait for their split. */
async function stopSplits(tx: Transaction, run: LockedRun): Promise<void> {
  const scopedSteps = run.plan.plan.steps.filter(({ scope }) => scope !== null).map(({ index }) => index);
  const groups = await tx.$queryRaw<StoppedSubjob[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}
    WHERE run_id = ${run.id} AND status = 'RUNNING' AND task = 0 AND task_count IS NULL AND step = ANY(${scopedSteps}::int[])
    RETURNING id, step, task, task_count AS "taskCount"`;
  for (const group of groups) run.recordTransition(group, 'RUNNING', 'STOPPED');
}

/** Stops nodes that have not started, and splits that have no children. What has children ends after them. */
async function stopNodes(tx: Transaction, run: LockedRun): Promise<void> {
  const steps = run.plan.plan.steps.map(({ index }) => index);
  const waiting = await tx.$queryRaw<StoppedSubjob[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}, message = coalesce(${run.error}, message)
    WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0 AND status = 'PENDING' AND coalesce(task_count, 0) = 0
    RETURNING id, step, task, task_count AS "taskCount"`;
  for (const subjob of waiting) run.recordTransition(subjob, 'PENDING', 'STOPPED');
  const segments = run.plan.plan.segments.map(({ index }) => index);
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
    WHERE run_id = ${run.id} AND segment = ANY(${segments}::int[]) AND index = 0
      AND state IN ('WAITING', 'CHECKING', 'UNDECIDED', 'READY')`;
}

/** Fails a run that has not started: all of its subjobs are skipped. */
export async function failRun(tx: Transaction, run: LockedRun, error: string): Promise<void> {
  run.error ??= error;
  const steps = run.plan.plan.steps.map(({ index }) => index);
  await endSubjobs(tx, run, steps, 'groups', 'SKIPPED', 'skipped: the inputs of the run could not be fetched');
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL WHERE run_id = ${run.id} AND state <> 'DONE'`;
  await recountSegments(tx, run);
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
}
