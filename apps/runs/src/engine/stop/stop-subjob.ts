import type { Transaction } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import type { Cancellation } from '../../workers/cancellation.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { settleTasks } from '../settle/settle-tasks.js';
import { skippedBecause } from '../settle/skip-reasons.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** Children that one piece stops. It locks the run for about a third of a second, in which reports on the run wait. */
const MAX_CHILDREN = 5_000;

/**
 * Stops one subjob, or every child of a task group. Children that have not started end at once; running processes are cancelled.
 * Subjobs that depend on it are skipped. If a group has very many unfinished children, `RunStopper` stops those after the first piece.
 * @returns the cancellations for the workers
 */
export async function stopSubjob(
  tx: Transaction,
  run: LockedRun,
  subjob: Subjob,
  maxChildren = MAX_CHILDREN,
): Promise<Cancellation[]> {
  const { scope } = run.plan.step(subjob.step);
  if (scope !== null && subjob.task === 0) return stopNextChildren(tx, run, { ...subjob, stopNext: 1 }, maxChildren);
  const [cancellations] = await stopUnfinished(tx, run, subjob.step, { task: subjob.task }, 1);
  return cancellations;
}

/**
 * Stops the next children of a task group, and records where the next piece begins; after the last piece, or if the whole run is
 * stopped meanwhile, that there is none.
 */
export async function stopNextChildren(
  tx: Transaction,
  run: LockedRun,
  { id, step, stopNext }: Pick<Subjob, 'id' | 'step' | 'stopNext'>,
  maxChildren = MAX_CHILDREN,
): Promise<Cancellation[]> {
  const [cancellations, last] = run.isEnding
    ? [[], null]
    : await stopUnfinished(tx, run, step, { task: { gte: stopNext ?? 1 } }, maxChildren);
  await tx.subjob.updateMany({ where: { id }, data: { stopNext: last === null ? null : last + 1 } });
  return cancellations;
}

/** @returns the cancellations, and the last task if there may be more */
async function stopUnfinished(
  tx: Transaction,
  run: LockedRun,
  step: number,
  tasks: { task: number | { gte: number } },
  max: number,
): Promise<[cancellations: Cancellation[], last: number | null]> {
  const { segment } = run.plan.step(step);
  const unfinished = await tx.subjob.findMany({
    where: { runId: run.id, step, ...tasks, status: { in: ['PENDING', 'RUNNING'] } },
    select: { id: true, step: true, task: true, status: true },
    orderBy: { task: 'asc' },
    take: max,
  });
  const running = unfinished.filter(({ status }) => status === 'RUNNING');
  for (const stopped of running) run.recordTransition(stopped, 'RUNNING', 'STOPPING');
  await tx.subjob.updateMany({ where: { id: { in: running.map(({ id }) => id) } }, data: { status: 'STOPPING' } });
  const pending = unfinished.filter(({ status }) => status === 'PENDING').map(({ task }) => task);
  const endedTasks = await stopPendingTasks(tx, run, segment, step, pending);
  const runningTasks = await tx.task.findMany({
    where: { runId: run.id, segment, index: { in: running.map(({ task }) => task) }, dispatch: { not: null } },
  });
  const byDispatch = Map.groupBy([...endedTasks, ...runningTasks], ({ dispatch }) => String(dispatch));
  const cancellations = [...byDispatch].map(([dispatch, ended]) => ({
    dispatches: [dispatch],
    tasks: ended.map(({ index }) => index),
  }));
  return [cancellations, unfinished.length < max ? null : (unfinished.at(-1)?.task ?? null)];
}

/**
 * Stops a pending step of these tasks. A task that is running an earlier step continues; its worker learns of the stop when it reaches
 * this step.
 * @returns ended tasks that were dispatched; their worker may still have them
 */
async function stopPendingTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  step: number,
  tasks: number[],
): Promise<{ index: number; dispatch: bigint }[]> {
  if (tasks.length === 0) return [];
  const { steps } = run.plan.segment(segment);
  const ended = await tx.$queryRaw<{ index: number; dispatch: bigint | null }[]>`
    WITH ended AS MATERIALIZED (
      SELECT index, dispatch FROM runs.task
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${tasks}::int[]) AND state <> 'DONE'
        AND index <> ALL(ARRAY(SELECT task FROM runs.subjob
          WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = ANY(${tasks}::int[])
            AND status IN ('RUNNING', 'STOPPING')))),
    written AS (
      UPDATE runs.task SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(ARRAY(SELECT index FROM ended)))
    SELECT index, dispatch FROM ended`;
  const broken = ended.map(({ index }) => index);
  const position = steps.indexOf(step);
  const reason = skippedBecause(run.plan.step(step).node, 'STOPPED');
  await endSubjobs(tx, run, [step], tasks, 'STOPPED');
  await endSubjobs(tx, run, steps.slice(position + 1), tasks, 'SKIPPED', reason);
  await endSubjobs(tx, run, steps.slice(0, position), broken, 'SKIPPED', reason);
  if (broken.length > 0) await settleTasks(tx, [{ run, segment, succeeded: [], broken, missing: [] }]);
  return ended.flatMap(({ index, dispatch }) => (dispatch === null ? [] : [{ index, dispatch }]));
}
