import type { Transaction } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import type { Cancel } from '../../workers/cancellation.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { skippedBecause } from '../settle/find-skip-reason.js';
import { settleTasks } from '../settle/settle-tasks.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Stops one subjob, or every child of a task group: what has not begun is over at once, what runs is told to end; what
 * depends on it is skipped.
 * @returns what its workers must be told
 */
export async function stopSubjob(tx: Transaction, run: LockedRun, subjob: Subjob): Promise<Cancel[]> {
  const { step } = subjob;
  const { segment, scope } = run.plan.step(step);
  const isGroup = scope !== null && subjob.task === 0;
  const wanted = await tx.subjob.findMany({
    where: {
      runId: run.id,
      step,
      ...(isGroup ? { task: { gt: 0 } } : { id: subjob.id }),
      status: { in: ['PENDING', 'RUNNING'] },
    },
    select: { id: true, step: true, task: true, status: true },
  });
  const running = wanted.filter(({ status }) => status === 'RUNNING');
  for (const one of running) run.move(one, 'RUNNING', 'STOPPING');
  await tx.subjob.updateMany({ where: { id: { in: running.map(({ id }) => id) } }, data: { status: 'STOPPING' } });
  const pending = wanted.filter(({ status }) => status === 'PENDING').map(({ task }) => task);
  const waiting = await stopWaiting(tx, run, segment, step, pending);
  const tasks = await tx.task.findMany({
    where: { runId: run.id, segment, index: { in: running.map(({ task }) => task) }, dispatch: { not: null } },
  });
  const byDispatch = Map.groupBy([...waiting, ...tasks], ({ dispatch }) => String(dispatch));
  return [...byDispatch].map(([dispatch, out]) => ({ dispatch, tasks: out.map(({ index }) => index) }));
}

/**
 * A task whose earlier steps run already goes on to this step; its worker is told when it gets there.
 * @returns tasks that were out with a dispatch; their worker may have them still before it
 */
async function stopWaiting(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  step: number,
  tasks: number[],
): Promise<{ index: number; dispatch: bigint }[]> {
  if (tasks.length === 0) return [];
  const { steps } = run.plan.segment(segment);
  const ended = await tx.$queryRaw<{ index: number; dispatch: bigint | null }[]>`
    UPDATE runs.task AS t SET state = 'DONE', dispatch = NULL
    FROM runs.task o
    WHERE t.run_id = ${run.id} AND t.segment = ${segment} AND t.index = ANY(${tasks}::int[]) AND t.state <> 'DONE'
      AND o.run_id = t.run_id AND o.segment = t.segment AND o.index = t.index
      AND NOT EXISTS (SELECT 1 FROM runs.subjob s WHERE s.run_id = t.run_id AND s.step = ANY(${steps}::int[])
        AND s.task = t.index AND s.status IN ('RUNNING', 'STOPPING'))
    RETURNING t.index, o.dispatch`;
  const broken = ended.map(({ index }) => index);
  await endSubjobs(tx, run, [step], tasks, 'STOPPED');
  const at = steps.indexOf(step);
  const reason = skippedBecause(run.plan.step(step).node, 'STOPPED');
  await endSubjobs(tx, run, steps.slice(at + 1), tasks, 'SKIPPED', reason);
  await endSubjobs(tx, run, steps.slice(0, at), broken, 'SKIPPED', reason);
  if (broken.length > 0) await settleTasks(tx, [{ run, segment, good: [], broken }]);
  return ended.flatMap(({ index, dispatch }) => (dispatch === null ? [] : [{ index, dispatch }]));
}
