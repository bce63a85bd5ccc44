import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isChosen } from '../rows/is-chosen.js';
import { recordset } from '../rows/recordset.js';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { endSubjobs } from './end-subjobs.js';
import { expandScope, type SettledTasks } from './expand-scope.js';
import { breakExceeded } from './fail-thresholds.js';
import { findBlock, type Block } from './find-block.js';
import { finishGroups } from './finish-groups.js';
import { makeReady } from './make-ready.js';
import { findChildReasons, findSkipReason } from './skip-reasons.js';
import { updateSkipReasons } from './update-skip-reasons.js';

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
  missing: number;
}

/** Counts ended tasks, and applies the consequences. A segment may occur several times: its tasks can end for several reasons. */
export async function settleTasks(tx: Transaction, settled: SettledRunTasks[]): Promise<void> {
  const merged = mergeBySegment(settled);
  if (merged.length > 0) await propagate(tx, merged, await tx.$queryRaw<SegmentCount[]>(countSettled(merged)));
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
  await settleTasks(tx, consequences);
}

const COUNT_COLUMNS = 'run bigint, segment int, settled int, broken int, missing int, split jsonb';

/** A statement that counts ended tasks and returns `SegmentCount` rows. @param settled each segment at most once: Postgres would count only one of several */
export function countSettled(settled: SettledRunTasks[]): Prisma.Sql {
  const rows = settled.map(({ run, segment, succeeded, broken, missing, split }) => ({
    run: String(run.id),
    segment,
    settled: succeeded.length + broken.length + missing.length,
    broken: broken.length,
    missing: missing.length,
    split,
  }));
  return Prisma.sql`
    UPDATE runs.segment AS s SET settled = s.settled + c.settled, broken = s.broken + c.broken,
      missing = s.missing + c.missing, split = coalesce(c.split, s.split)
    FROM ${recordset(COUNT_COLUMNS, { json: JSON.stringify(rows), count: rows.length })}
    WHERE s.run_id = c.run AND s.segment = c.segment
    RETURNING s.run_id AS run, s.segment, s.total, s.settled, s.broken, s.missing`;
}

function mergeBySegment(settled: SettledRunTasks[]): SettledRunTasks[] {
  const groups = Map.groupBy(settled, ({ run, segment }) => `${run.id} ${segment}`);
  return [...groups.values()].map((group) =>
    group.reduce((merged, { succeeded, broken, missing }) => ({
      ...merged,
      succeeded: [...merged.succeeded, ...succeeded],
      broken: [...merged.broken, ...broken],
      missing: [...merged.missing, ...missing],
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
  // The last piece of the stop counts all tasks again, and ends what has not ended until then.
  if (run.stopNext !== null) return [];
  const further: SettledTasks[] = [];
  const scope = run.plan.scopeSplitBy(segment);
  if (scope && !run.isEnding) {
    further.push(...(await expandScope(tx, run, scope, settled.split ?? null, outcomeOf(settled))));
  }
  if (count.total !== null && count.settled >= count.total) {
    run.openSegments--;
    const exceeded = run.plan.isTolerant && (await breakExceeded(tx, run, segment));
    await finishGroups(tx, run, segment);
    further.push(...(await advanceGatheringSegments(tx, run, segment, { isBroken: exceeded || count.broken > 0 })));
  }
  return [...further, ...(await advanceSameChildren(tx, run, settled))];
}

/** How the only task of a segment ended. */
function outcomeOf({ broken, missing }: SettledTasks): TaskOutcome {
  if (broken.length > 0) return 'BROKEN';
  return missing.length > 0 ? 'MISSING' : 'SUCCEEDED';
}

/** Makes ready, or skips, the same children in the segments of the scope that need them. */
async function advanceSameChildren(
  tx: Transaction,
  run: LockedRun,
  { segment, succeeded, broken, missing }: SettledTasks,
): Promise<SettledTasks[]> {
  const skipped: SettledTasks[] = [];
  for (const { segment: consumer, how, ordersOnly } of run.plan.consumers[segment] ?? []) {
    if (how !== 'each') continue;
    if (broken.length > 0)
      skipped.push(...(await skipTasks(tx, run, consumer, broken, { causes: null, outcome: 'BROKEN' })));
    if (missing.length > 0 && !ordersOnly) {
      skipped.push(...(await skipTasks(tx, run, consumer, missing, { causes: null, outcome: 'MISSING' })));
    }
    const advancing = ordersOnly ? [...succeeded, ...missing] : succeeded;
    if (advancing.length > 0) await makeReady(tx, run, consumer, advancing);
  }
  return skipped;
}

/** Makes ready, or skips, the segments that need all tasks of this one. */
async function advanceGatheringSegments(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  { isBroken }: { isBroken: boolean },
): Promise<SettledTasks[]> {
  const skipped: SettledTasks[] = [];
  for (const { segment: consumer, how } of run.plan.consumers[segment] ?? []) {
    if (how !== 'all') continue;
    const block = isBroken
      ? ((await findBlock(tx, run, run.plan.segment(consumer))) ?? ({ causes: [segment], outcome: 'BROKEN' } as const))
      : run.mayMissResults
        ? await findBlock(tx, run, run.plan.segment(consumer))
        : null;
    if (block) {
      const ended = await skipTasks(tx, run, consumer, null, block);
      skipped.push(...ended);
      if (ended.length === 0) await updateSkipReasons(tx, run, consumer);
    } else await makeReady(tx, run, consumer, null);
  }
  return skipped;
}

/** Why tasks are skipped. `causes` is null if the same children of segments before them have no result. */
type SkipCause = Block | { causes: null; outcome: Block['outcome'] };

/**
 * Ends waiting tasks that can never run. If their scope is not split yet, `expandScope` ends them later.
 * @param indexes null means all tasks of the segment
 */
export async function skipTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[] | null,
  { causes, outcome }: SkipCause,
): Promise<SettledTasks[]> {
  const skipped = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = 'DONE', outcome = ${outcome}
    WHERE run_id = ${run.id} AND segment = ${segment} AND state IN ('WAITING', 'CHECKING', 'UNDECIDED', 'READY')
      AND ${isChosen(indexes)}
    RETURNING index`;
  if (skipped.length === 0) return [];
  const ended = skipped.map(({ index }) => index);
  const reason = causes ? await findSkipReason(tx, run, causes) : await findChildReasons(tx, run, segment, ended);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, ended, 'SKIPPED', reason);
  const isBroken = outcome === 'BROKEN';
  return [{ segment, succeeded: [], broken: isBroken ? ended : [], missing: isBroken ? [] : ended }];
}
