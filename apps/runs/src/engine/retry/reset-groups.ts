import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { measureChildren } from './measure-children.js';
import { keepAttempts, resetRows } from './reset-tasks.js';

interface Group {
  id: bigint;
  step: number;
  task: number;
  taskCount: number | null;
  status: SubjobStatus;
}

const readGroups = (tx: Transaction, run: LockedRun, steps: readonly number[]): Promise<Group[]> => tx.$queryRaw<
  Group[]
>`
  SELECT id, step, task, task_count AS "taskCount", status FROM runs.subjob
  WHERE run_id = ${run.id} AND step = ANY(${[...steps]}::int[]) AND task = 0 ORDER BY step`;

/** Starts a new attempt of task groups. A group that could not be split has an empty output of its own (`on_error: empty`). */
async function resetGroups(
  tx: Transaction,
  run: LockedRun,
  groups: readonly Group[],
  status: 'PENDING' | 'RUNNING',
): Promise<void> {
  const ids = groups.map(({ id }) => String(id));
  await keepAttempts(tx, run, ids);
  await tx.$executeRaw`
    UPDATE runs.output SET replaced = true
    WHERE run_id = ${run.id} AND step = ANY(${groups.map(({ step }) => step)}::int[]) AND task = 0 AND NOT replaced`;
  await resetRows(tx, ids, status);
}

/** Lets the task groups of a segment run again, because children of them do. */
export async function reopenGroups(tx: Transaction, run: LockedRun, segment: number): Promise<void> {
  const { scope, steps } = run.plan.segment(segment);
  if (scope === null) return;
  const groups = (await readGroups(tx, run, steps)).filter(({ status }) => isFinalSubjob(status));
  const ids = groups.map(({ id }) => String(id));
  if (ids.length === 0) return;
  await resetGroups(tx, run, groups, 'RUNNING');
  await tx.$executeRaw`UPDATE runs.subjob SET started_at = ${run.now} WHERE id = ANY(${ids}::bigint[])`;
  for (const group of groups) run.recordTransition(group, group.status, 'RUNNING');
}

/**
 * Removes the children of a scope, because it is split again: the new children need not be the same. The history of the
 * former ones goes with them; the task groups keep theirs.
 */
export async function removeChildren(tx: Transaction, run: LockedRun, scope: number): Promise<void> {
  const steps = run.plan.stepsIn(scope).map(({ index }) => index);
  const segments = run.plan.segmentsIn(scope).map(({ index }) => index);
  const groups = await readGroups(tx, run, steps);
  await removeRows(tx, run, steps, segments);
  await tx.$executeRaw`
    UPDATE runs.segment SET total = NULL, settled = 0, broken = 0, missing = 0
    WHERE run_id = ${run.id} AND segment = ANY(${segments}::int[])`;
  await tx.$executeRaw`
    UPDATE runs.segment SET split = NULL WHERE run_id = ${run.id} AND segment = ${run.plan.splitSegmentOf(scope)}`;
  const started = groups.filter(({ status }) => status !== 'PENDING');
  await resetGroups(tx, run, started, 'PENDING');
  await tx.$executeRaw`
    UPDATE runs.subjob SET task_count = NULL WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0`;
  for (const group of groups) {
    // Its children are no longer counted, so it counts itself again.
    if ((group.taskCount ?? 0) > 0) run.countDeltas[run.columnOf(group.status)]++;
    if (group.status !== 'PENDING') run.recordTransition({ ...group, taskCount: null }, group.status, 'PENDING');
  }
}

async function removeRows(tx: Transaction, run: LockedRun, steps: number[], segments: number[]): Promise<void> {
  run.storedBytes -= await measureChildren(tx, run.id, steps);
  await tx.$executeRaw`
    DELETE FROM runs.output WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task > 0`;
  await tx.$executeRaw`
    DELETE FROM runs.attempt WHERE run_id = ${run.id} AND subjob_id IN (
      SELECT id FROM runs.subjob WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task > 0)`;
  await tx.$executeRaw`
    DELETE FROM runs.log_times WHERE run_id = ${run.id} AND subjob_id IN (
      SELECT id FROM runs.subjob WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task > 0)`;
  await tx.$executeRaw`
    DELETE FROM runs.cache_entry WHERE run_id = ${run.id} AND subjob_id IN (
      SELECT id FROM runs.subjob WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task > 0)`;
  const removed = await tx.$queryRaw<{ status: SubjobStatus; count: number }[]>`
    WITH removed AS (
      DELETE FROM runs.subjob WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task > 0 RETURNING status)
    SELECT status, count(*)::int AS count FROM removed GROUP BY status`;
  for (const { status, count } of removed) run.countDeltas[run.columnOf(status)] -= count;
  await tx.$executeRaw`DELETE FROM runs.approval WHERE run_id = ${run.id} AND segment = ANY(${segments}::int[])`;
  await tx.$executeRaw`
    DELETE FROM runs.task WHERE run_id = ${run.id} AND segment = ANY(${segments}::int[])`;
}
