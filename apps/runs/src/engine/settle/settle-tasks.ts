import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { LockedRun } from '../transaction/locked-run.js';
import { endSubjobs } from './end-subjobs.js';
import { expandScope } from './expand-scope.js';
import { findSkipReason } from './find-skip-reason.js';
import { finishGroups } from './finish-groups.js';
import { makeReady } from './make-ready.js';
import type { Settled } from './settled-tasks.js';

/** Tasks of one run that have come to their end. */
export interface Ended extends Settled {
  run: LockedRun;
}

/** Where a segment stands after its ended tasks were counted. */
export interface SegmentCount {
  run: bigint;
  segment: number;
  total: number | null;
  settled: number;
  broken: number;
}

/** Counts ended tasks, and carries on from them. */
export async function settleTasks(tx: Transaction, ended: Ended[]): Promise<void> {
  if (ended.length > 0) await carryOn(tx, ended, await tx.$queryRaw<SegmentCount[]>(countEnded(ended)));
}

/**
 * Carries on from ended tasks that have been counted: splits, makes ready what waited for them, and skips what can no
 * longer run, which in turn has consequences of its own. Each statement works on a whole set, so a hundred thousand
 * children cost no more statements than one.
 */
export async function carryOn(tx: Transaction, ended: Ended[], counts: SegmentCount[]): Promise<void> {
  const countOf = new Map(counts.map((count) => [`${count.run} ${count.segment}`, count]));
  const further: Ended[] = [];
  for (const one of ended) {
    const { run, segment } = one;
    const count = countOf.get(`${run.id} ${segment}`);
    if (!count) throw new Error(`Run ${run.id} has no segment ${segment}`);
    const settled = await followUp(tx, one, count);
    further.push(...settled.map((next) => ({ run, ...next })));
  }
  await settleTasks(tx, merge(further));
}

/** Statement that counts ended tasks, each segment at most once, and gives `SegmentCount`s. */
export function countEnded(ended: Ended[]): Prisma.Sql {
  const rows = ended.map(({ run, segment, good, broken, split }) => ({
    run: String(run.id),
    segment,
    settled: good.length + broken.length,
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

/** Several reasons may end tasks of the same segment. */
function merge(ended: Ended[]): Ended[] {
  const groups = Map.groupBy(ended, ({ run, segment }) => `${run.id} ${segment}`);
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first
      ? [
          rest.reduce(
            (all, { good, broken }) => ({ ...all, good: [...all.good, ...good], broken: [...all.broken, ...broken] }),
            first,
          ),
        ]
      : [],
  );
}

/** What follows from ended tasks at once. @returns tasks that ended by it */
async function followUp(tx: Transaction, ended: Ended, count: SegmentCount): Promise<Settled[]> {
  const { run, segment } = ended;
  const further: Settled[] = [];
  const scope = run.plan.scopeSplitBy(segment);
  if (scope && !run.isEnding) further.push(...(await expandScope(tx, run, scope, ended.split ?? null)));
  if (count.total !== null && count.settled >= count.total) {
    run.openSegments--;
    await finishGroups(tx, run, segment);
    further.push(...(await wakeConsumers(tx, run, segment, count.broken > 0)));
  }
  return [...further, ...(await wakeSiblings(tx, run, ended))];
}

/** The same children of segments in the same scope. */
async function wakeSiblings(tx: Transaction, run: LockedRun, { segment, good, broken }: Settled): Promise<Settled[]> {
  const skipped: Settled[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'each') continue;
    if (broken.length > 0) skipped.push(...(await skip(tx, run, consumer.segment, broken, segment)));
    if (good.length > 0) await makeReady(tx, run, consumer.segment, good);
  }
  return skipped;
}

/** What waits for all of a segment. */
async function wakeConsumers(tx: Transaction, run: LockedRun, segment: number, isBroken: boolean): Promise<Settled[]> {
  const skipped: Settled[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'all') continue;
    if (isBroken) skipped.push(...(await skip(tx, run, consumer.segment, null, segment)));
    else await makeReady(tx, run, consumer.segment, null);
  }
  return skipped;
}

/**
 * Ends waiting tasks that can never run. Those of a scope that is not split yet are dealt with when it is.
 * @param cause the segment whose tasks did not succeed
 */
async function skip(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[] | null,
  cause: number,
): Promise<Settled[]> {
  const ended = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = 'DONE'
    WHERE run_id = ${run.id} AND segment = ${segment} AND state IN ('WAITING', 'READY')
      AND (${indexes}::int[] IS NULL OR index = ANY(${indexes ?? []}::int[]))
    RETURNING index`;
  if (ended.length === 0) return [];
  const broken = ended.map(({ index }) => index);
  const reason = await findSkipReason(tx, run, cause, indexes ?? [0]);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, broken, 'SKIPPED', reason);
  return [{ segment, good: [], broken }];
}
