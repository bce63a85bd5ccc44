import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { flushChanges, MAX_CHANGES_PER_ROW } from '../transaction/write-runs.js';
import { recountSegments } from './recount-segments.js';

/** Subjobs that one piece stops. It locks the run for about a third of a second, in which reports on the run wait. */
const MAX_STOPPED = 20_000;

/**
 * Stops the next children of a run that is stopping and that no worker has, in the order of their segments and numbers. After the last
 * one, it ends the task groups, and the run if no process is left.
 */
export async function stopChildren(tx: Transaction, run: LockedRun, maxSubjobs = MAX_STOPPED): Promise<void> {
  const next = run.stopNext;
  if (next === null) return;
  const segments = await tx.$queryRaw<{ segment: number; total: number }[]>`
    SELECT segment, total FROM runs.segment WHERE run_id = ${run.id} AND segment >= ${next.segment} AND total > 0 ORDER BY segment`;
  await flushChanges(tx, run);
  let left = maxSubjobs;
  for (const { segment, total } of segments) {
    const { scope, steps } = run.plan.segment(segment);
    if (scope === null) continue;
    const first = segment === next.segment ? next.index : 1;
    const last = Math.min(total, first - 1 + Math.max(1, Math.floor(left / steps.length)));
    await stopRange(tx, run, segment, [first, last]);
    left -= (last - first + 1) * steps.length;
    if (last < total || left <= 0) {
      run.stopNext = { segment, index: last + 1 };
      return;
    }
  }
  run.stopNext = null;
  await stopWaitingGroups(tx, run);
  await recountSegments(tx, run);
}

/** Postgres writes the status changes as `ChangedChildren`: a million of them would not fit into the memory of this process. */
async function stopRange(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  [first, last]: [number, number],
): Promise<void> {
  if (last < first) return;
  const { steps } = run.plan.segment(segment);
  const [row] = await tx.$queryRaw<{ stopped: number }[]>`
    WITH stopped AS (
      UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}, message = coalesce(${run.error}, message)
      WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task BETWEEN ${first}::int AND ${last}::int AND status = 'PENDING'
      RETURNING id, step, task, node),
    numbered AS (
      SELECT *, (row_number() OVER (ORDER BY step, task) - 1)::int AS n,
        row_number() OVER (PARTITION BY step ORDER BY task) / ${MAX_CHANGES_PER_ROW}::int AS part
      FROM stopped),
    written AS (
      INSERT INTO runs.change (run_id, seq, changes)
      SELECT ${run.id}, ${run.changeSeq + 1}::int + min(n), jsonb_build_array(jsonb_build_object('node', min(node),
        'status', 'STOPPED', 'at', ${run.now.toISOString()}::text, 'subjects', array_agg(id ORDER BY n), 'tasks', array_agg(task ORDER BY n)))
      FROM numbered GROUP BY step, part)
    SELECT count(*)::int AS stopped FROM stopped`;
  run.countStopped(row?.stopped ?? 0);
  await tx.$executeRaw`
    UPDATE runs.task AS t SET state = 'DONE', outcome = 'BROKEN', dispatch = NULL
    WHERE t.run_id = ${run.id} AND t.segment = ${segment} AND t.index BETWEEN ${first}::int AND ${last}::int AND t.state <> 'DONE'
      AND (t.state <> 'QUEUED' OR NOT EXISTS (SELECT 1 FROM runs.subjob s
        WHERE s.run_id = t.run_id AND s.step = ANY(${steps}::int[]) AND s.task = t.index AND s.status = 'STOPPING'))`;
}

/** Task groups with children of which none has started. */
async function stopWaitingGroups(tx: Transaction, run: LockedRun): Promise<void> {
  const steps = run.plan.plan.steps.map(({ index }) => index);
  const groups = await tx.$queryRaw<{ id: bigint; step: number; task: number; taskCount: number | null }[]>`
    UPDATE runs.subjob SET status = 'STOPPED', finished_at = ${run.now}, message = coalesce(${run.error}, message)
    WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0 AND status = 'PENDING'
    RETURNING id, step, task, task_count AS "taskCount"`;
  for (const group of groups) run.recordTransition(group, 'PENDING', 'STOPPED');
}
