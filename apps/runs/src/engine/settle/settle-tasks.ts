import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { LockedRun } from '../transaction/locked-run.js';
import { endSubjobs, findSkipReason } from './end-subjobs.js';
import { expandScope, type SettledTasks } from './expand-scope.js';
import { finishGroups } from './finish-groups.js';
import { makeReady } from './make-ready.js';

/** Tasks of one segment of one run that have ended. */
export interface SettledRunTasks extends SettledTasks {
  run: LockedRun;
}

/** The counters of a segment after its ended tasks were counted. */
export interface SegmentCount {
  run: bigint;
  segment: number;
  total: number | null;
  settled: number;
  broken: number;
}

/** Counts ended tasks, and applies the consequences. */
export async function settleTasks(tx: Transaction, settled: SettledRunTasks[]): Promise<void> {
  if (settled.length > 0) await propagate(tx, settled, await tx.$queryRaw<SegmentCount[]>(countSettled(settled)));
}

/**
 * Applies the consequences of ended tasks that have been counted: splits scopes, makes dependent tasks ready, and skips
 * tasks that can no longer run, which has consequences in turn. Each statement works on a whole set, so a hundred thousand children
 * need no more statements than one.
 */
export async function propagate(tx: Transaction, settled: SettledRunTasks[], counts: SegmentCount[]): Promise<void> {
  const countBySegment = new Map(counts.map((count) => [`${count.run} ${count.segment}`, count]));
  const consequences: SettledRunTasks[] = [];
  for (const tasks of settled) {
    const { run, segment } = tasks;
    const count = countBySegment.get(`${run.id} ${segment}`);
    if (!count) throw new Error(`Run ${run.id} has no segment ${segment}`);
    consequences.push(...(await applyConsequences(tx, tasks, count)).map((next) => ({ run, ...next })));
  }
  await settleTasks(tx, mergeBySegment(consequences));
}

/** A statement that counts ended tasks, each segment at most once, and returns `SegmentCount` rows. */
export function countSettled(settled: SettledRunTasks[]): Prisma.Sql {
  const rows = settled.map(({ run, segment, succeeded, broken, split }) => ({
    run: String(run.id),
    segment,
    settled: succeeded.length + broken.length,
    broken: broken.length,
    split,
  }));
  return Prisma.sql`
    UPDATE runs.segment AS s SET settled = s.settled + c.settled, broken = s.broken + c.broken,
      split = coalesce(c.split, s.split)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS c(run bigint, segment int, settled int, broken int, split jsonb)
    WHERE s.run_id = c.run AND s.segment = c.segment
    RETURNING s.run_id AS run, s.segment, s.total, s.settled, s.broken`;
}

/** Tasks of the same segment can end for several reasons. */
function mergeBySegment(settled: SettledRunTasks[]): SettledRunTasks[] {
  const groups = Map.groupBy(settled, ({ run, segment }) => `${run.id} ${segment}`);
  return [...groups.values()].map((group) =>
    group.reduce((merged, { succeeded, broken }) => ({
      ...merged,
      succeeded: [...merged.succeeded, ...succeeded],
      broken: [...merged.broken, ...broken],
    })),
  );
}

/** @returns tasks that end because of these */
async function applyConsequences(
  tx: Transaction,
  settled: SettledRunTasks,
  count: SegmentCount,
): Promise<SettledTasks[]> {
  const { run, segment } = settled;
  const further: SettledTasks[] = [];
  const scope = run.plan.scopeSplitBy(segment);
  if (scope && !run.isEnding) further.push(...(await expandScope(tx, run, scope, settled.split ?? null)));
  if (count.total !== null && count.settled >= count.total) {
    run.openSegments--;
    await finishGroups(tx, run, segment);
    further.push(...(await advanceGatheringSegments(tx, run, segment, count.broken > 0)));
  }
  return [...further, ...(await advanceSameChildren(tx, run, settled))];
}

/** Makes ready, or skips, the same children in the segments of the scope that need them. */
async function advanceSameChildren(
  tx: Transaction,
  run: LockedRun,
  { segment, succeeded, broken }: SettledTasks,
): Promise<SettledTasks[]> {
  const skipped: SettledTasks[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'each') continue;
    if (broken.length > 0) skipped.push(...(await skipTasks(tx, run, consumer.segment, broken, segment)));
    if (succeeded.length > 0) await makeReady(tx, run, consumer.segment, succeeded);
  }
  return skipped;
}

/** Makes ready, or skips, the segments that need all tasks of this one. */
async function advanceGatheringSegments(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  isBroken: boolean,
): Promise<SettledTasks[]> {
  const skipped: SettledTasks[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'all') continue;
    if (isBroken) skipped.push(...(await skipTasks(tx, run, consumer.segment, null, segment)));
    else await makeReady(tx, run, consumer.segment, null);
  }
  return skipped;
}

/**
 * Ends waiting tasks that can never run. If their scope is not split yet, `expandScope` ends them later.
 * @param indexes null means all tasks of the segment
 * @param cause the segment whose tasks did not succeed
 */
async function skipTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[] | null,
  cause: number,
): Promise<SettledTasks[]> {
  const skipped = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = 'DONE'
    WHERE run_id = ${run.id} AND segment = ${segment} AND state IN ('WAITING', 'READY')
      AND (${indexes}::int[] IS NULL OR index = ANY(${indexes ?? []}::int[]))
    RETURNING index`;
  if (skipped.length === 0) return [];
  const broken = skipped.map(({ index }) => index);
  const reason = await findSkipReason(tx, run, cause, indexes ?? [0]);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, broken, 'SKIPPED', reason);
  return [{ segment, succeeded: [], broken }];
}
