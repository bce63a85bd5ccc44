import type { Transaction } from '@millrace/persistence/database';
import type { Cancellation } from '../../workers/cancellation.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { breakExceeded } from '../settle/fail-thresholds.js';
import { settleTasks } from '../settle/settle-tasks.js';
import { describeCauses, SKIPPED_BY_USER } from '../settle/skip-reasons.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { advanceTasks } from './advance-tasks.js';
import { findRepeatedTasks, type TaskSelection } from './find-repeated-tasks.js';
import { readRunShape } from './read-run-shape.js';
import { removeChildren, reopenGroups } from './reset-groups.js';
import { resetTasks, type DispatchedTask } from './reset-tasks.js';

/** What a user changes in a run: tasks that run again, and tasks that the run goes on without. No task is in both. */
export interface Repair {
  retried: TaskSelection;
  skipped?: TaskSelection;
  /** Message of the skipped subjobs. */
  skipReason?: string;
}

/**
 * Repeats tasks of a run that has ended or is under way, and everything that depends on them. A run that has ended runs
 * again. All other results stay valid.
 * @returns the cancellations for the workers that run a repeated task
 */
export async function repeatTasks(
  tx: Transaction,
  run: LockedRun,
  { retried, skipped = new Map(), skipReason }: Repair,
): Promise<Cancellation[]> {
  const shape = await readRunShape(tx, run);
  const repeated = findRepeatedTasks(run.plan, shape, new Map([...retried, ...mergeSelections(retried, skipped)]));
  const dispatched: DispatchedTask[] = [];
  for (const scope of repeated.scopes) {
    dispatched.push(...(await findDispatched(tx, run, scope)));
    await removeChildren(tx, run, scope);
  }
  for (const [segment, positions] of repeated.tasks) {
    dispatched.push(...(await resetTasks(tx, run, segment, positions)));
    await reopenGroups(tx, run, segment);
  }
  await recountSegments(tx, run);
  for (const [segment, positions] of skipped) await endSkipped(tx, run, segment, positions, skipReason);
  for (const { index } of run.plan.plan.segments) {
    const positions = repeated.tasks.get(index);
    if (positions) await advanceTasks(tx, run, index, [...positions.keys()]);
  }
  return [...Map.groupBy(dispatched, ({ dispatch }) => dispatch)].map(([dispatch, tasks]) => ({
    dispatches: [String(dispatch)],
    tasks: tasks.map(({ index }) => index),
  }));
}

/** Tasks to retry and to skip as one selection. */
function mergeSelections(retried: TaskSelection, skipped: TaskSelection): TaskSelection {
  return new Map(
    [...skipped].map(([segment, indexes]) => [segment, new Map([...(retried.get(segment) ?? []), ...indexes])]),
  );
}

const findDispatched = (tx: Transaction, run: LockedRun, scope: number): Promise<DispatchedTask[]> => tx.$queryRaw<
  DispatchedTask[]
>`
  SELECT dispatch, index FROM runs.task
  WHERE run_id = ${run.id} AND dispatch IS NOT NULL
    AND segment = ANY(${run.plan.segmentsIn(scope).map(({ index }) => index)}::int[])`;

/** Ends tasks without a result, which the run goes on without. The steps after the skipped one are skipped because of it. */
async function endSkipped(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  positions: ReadonlyMap<number, number>,
  reason = SKIPPED_BY_USER,
): Promise<void> {
  const indexes = [...positions.keys()];
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'DONE', outcome = 'MISSING'
    WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[])`;
  const steps = run.plan.steps(segment);
  for (const [position, group] of Map.groupBy(indexes, (index) => positions.get(index) ?? 0)) {
    const [own, after] = [steps.slice(0, position + 1), steps.slice(position + 1)];
    const skipped = own.at(-1);
    const cause = skipped && describeCauses([{ node: skipped.node, status: 'SKIPPED', message: reason }]);
    await endSubjobs(
      tx,
      run,
      own.map(({ index }) => index),
      group,
      'SKIPPED',
      reason,
    );
    await endSubjobs(
      tx,
      run,
      after.map(({ index }) => index),
      group,
      'SKIPPED',
      cause,
    );
  }
  await settleTasks(tx, [{ run, segment, succeeded: [], broken: [], missing: indexes }]);
}

/** Counts the ended tasks of every segment again: a stop has changed the counts of all of them. */
async function recountSegments(tx: Transaction, run: LockedRun): Promise<void> {
  const rows = await tx.$queryRaw<{ segment: number; isOpen: boolean }[]>`
    UPDATE runs.segment AS s SET settled = d.settled,
      broken = CASE WHEN s.total = 0 THEN s.broken ELSE d.broken END,
      missing = CASE WHEN s.total = 0 THEN s.missing ELSE d.missing END
    FROM (SELECT s.segment, count(t.index) FILTER (WHERE t.state = 'DONE')::int AS settled,
        count(t.index) FILTER (WHERE t.outcome = 'BROKEN')::int AS broken,
        count(t.index) FILTER (WHERE t.outcome = 'MISSING')::int AS missing
      FROM runs.segment s LEFT JOIN runs.task t ON t.run_id = s.run_id AND t.segment = s.segment
      WHERE s.run_id = ${run.id} GROUP BY s.segment) d
    WHERE s.run_id = ${run.id} AND s.segment = d.segment
    RETURNING s.segment, (s.total IS NULL OR s.settled < s.total) AS "isOpen"`;
  run.openSegments = rows.filter(({ isOpen }) => isOpen).length;
  for (const { segment, isOpen } of rows) if (!isOpen) await breakExceeded(tx, run, segment);
}
