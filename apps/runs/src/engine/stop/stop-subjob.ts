import type { Transaction } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import type { Cancellation } from '../../workers/cancellation.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { settleTasks } from '../settle/settle-tasks.js';
import { skippedBecause } from '../settle/skip-reasons.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Stops one subjob, or every child of a task group. Children that have not started end at once; running processes are cancelled.
 * Subjobs that depend on it are skipped.
 * @returns the cancellations for the workers
 */
export async function stopSubjob(tx: Transaction, run: LockedRun, subjob: Subjob): Promise<Cancellation[]> {
  const { step } = subjob;
  const { segment, scope } = run.plan.step(step);
  const isGroup = scope !== null && subjob.task === 0;
  const unfinished = await tx.subjob.findMany({
    where: {
      runId: run.id,
      step,
      ...(isGroup ? { task: { gt: 0 } } : { id: subjob.id }),
      status: { in: ['PENDING', 'RUNNING'] },
    },
    select: { id: true, step: true, task: true, status: true },
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
  return [...byDispatch].map(([dispatch, tasks]) => ({
    dispatches: [dispatch],
    tasks: tasks.map(({ index }) => index),
  }));
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
    UPDATE runs.task AS t SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
    FROM runs.task o
    WHERE t.run_id = ${run.id} AND t.segment = ${segment} AND t.index = ANY(${tasks}::int[]) AND t.state <> 'DONE'
      AND o.run_id = t.run_id AND o.segment = t.segment AND o.index = t.index
      AND NOT EXISTS (SELECT 1 FROM runs.subjob s WHERE s.run_id = t.run_id AND s.step = ANY(${steps}::int[])
        AND s.task = t.index AND s.status IN ('RUNNING', 'STOPPING'))
    RETURNING t.index, o.dispatch`;
  const broken = ended.map(({ index }) => index);
  const position = steps.indexOf(step);
  const reason = skippedBecause(run.plan.step(step).node, 'STOPPED');
  await endSubjobs(tx, run, [step], tasks, 'STOPPED');
  await endSubjobs(tx, run, steps.slice(position + 1), tasks, 'SKIPPED', reason);
  await endSubjobs(tx, run, steps.slice(0, position), broken, 'SKIPPED', reason);
  if (broken.length > 0) await settleTasks(tx, [{ run, segment, succeeded: [], broken, missing: [] }]);
  return ended.flatMap(({ index, dispatch }) => (dispatch === null ? [] : [{ index, dispatch }]));
}
