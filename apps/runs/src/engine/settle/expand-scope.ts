import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Scope } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { endSubjobs, findSkipReason } from './end-subjobs.js';
import { makeReady } from './make-ready.js';

/** The result of a split: the stored objects with its items and their index, and the number of items. */
export type SplitResult = NonNullable<FinishedReport['split']>;

/** Tasks of one segment that have ended. */
export interface SettledTasks {
  segment: number;
  /** Indexes of the tasks that succeeded. */
  succeeded: number[];
  /** Indexes of the tasks that did not succeed. */
  broken: number[];
  /** The result, if the segment is a split that succeeded. */
  split?: SplitResult | null;
}

/**
 * Inserts the children of a scope when its split has ended: subjobs, and tasks for each of its segments.
 * @param split null if the split failed: the whole scope is skipped
 * @returns tasks of segments that end with this: those without children, and those whose other needs are already broken
 */
export async function expandScope(
  tx: Transaction,
  run: LockedRun,
  scope: Scope,
  split: SplitResult | null,
): Promise<SettledTasks[]> {
  const segments = run.plan.segmentsIn(scope.index);
  const count = split?.count ?? 0;
  if (split === null) {
    const steps = run.plan.stepsIn(scope.index).map(({ index }) => index);
    const reason = await findSkipReason(tx, run, run.plan.splitSegmentOf(scope.index), [0]);
    await endSubjobs(tx, run, steps, 'groups', 'SKIPPED', reason);
  }
  if (count > 0) await addChildren(tx, run, scope, count);
  // A scope without a split counts as broken, so that segments that gather from it are skipped too.
  await tx.$executeRaw`
    UPDATE runs.segment SET total = ${count}, broken = ${split === null ? 1 : 0}
    WHERE run_id = ${run.id} AND segment = ANY(${segments.map(({ index }) => index)}::int[])`;
  const settled: SettledTasks[] = [];
  for (const { index, needs } of segments) {
    if (count === 0) {
      settled.push({ segment: index, succeeded: [], broken: [] });
      continue;
    }
    const cause = await findBrokenNeed(tx, run, needs);
    if (cause === null) await makeReady(tx, run, index, null);
    else settled.push(await skipChildren(tx, run, index, count, cause));
  }
  return settled;
}

async function addChildren(tx: Transaction, run: LockedRun, scope: Scope, count: number): Promise<void> {
  const steps = run.plan.stepsIn(scope.index).map(({ index }) => index);
  const segments = run.plan.segmentsIn(scope.index).map(({ index }) => index);
  const groups = await tx.$queryRaw<{ status: SubjobStatus }[]>`
    UPDATE runs.subjob SET task_count = ${count} WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0
    RETURNING status`;
  await tx.$executeRaw`
    INSERT INTO runs.subjob (run_id, step, task, parent_id, node, label, status)
    SELECT run_id, step, n, id, node, label, 'PENDING' FROM runs.subjob, generate_series(1, ${count}::int) AS n
    WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0`;
  await tx.$executeRaw`
    INSERT INTO runs.task (run_id, segment, index, state)
    SELECT ${run.id}, s, n, 'WAITING' FROM unnest(${segments}::int[]) AS s, generate_series(1, ${count}::int) AS n`;
  run.countChildren(groups, steps.length * count);
}

/** Finds a segment that this one needs as a whole, and that was broken before there were tasks to skip. */
async function findBrokenNeed(
  tx: Transaction,
  run: LockedRun,
  needs: { segment: number; how: string }[],
): Promise<number | null> {
  const all = needs.filter(({ how }) => how === 'all').map(({ segment }) => segment);
  const [broken] = await tx.$queryRaw<{ segment: number }[]>`
    SELECT segment FROM runs.segment WHERE run_id = ${run.id} AND segment = ANY(${all}::int[]) AND broken > 0 LIMIT 1`;
  return broken?.segment ?? null;
}

async function skipChildren(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  count: number,
  cause: number,
): Promise<SettledTasks> {
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'DONE' WHERE run_id = ${run.id} AND segment = ${segment} AND state = 'WAITING'`;
  const reason = await findSkipReason(tx, run, cause, [0]);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, 'children', 'SKIPPED', reason);
  return { segment, succeeded: [], broken: Array.from({ length: count }, (_, index) => index + 1) };
}
