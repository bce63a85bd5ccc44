import type { Transaction } from '@millrace/persistence/database';
import { endSubjobs } from './end-subjobs.js';
import { expandScope } from './expand-scope.js';
import { finishGroups } from './finish-groups.js';
import type { LockedRun } from './locked-run.js';
import { makeReady } from './make-ready.js';
import type { Settled } from './settled.js';

interface SegmentRow {
  segment: number;
  total: number | null;
  settled: number;
  broken: number;
}

/**
 * Carries on from tasks that have ended: counts them, splits, makes ready what waited for them, and skips what can no
 * longer run, which in turn has consequences of its own. Each statement works on a whole set, so a hundred thousand
 * children cost no more statements than one.
 */
export async function settleTasks(tx: Transaction, run: LockedRun, settled: Settled[]): Promise<void> {
  const queue = [...settled];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const row = await count(tx, run, next);
    const scope = run.plan.scopeSplitBy(next.segment);
    if (scope && !run.isEnding) queue.push(...(await expandScope(tx, run, scope, next.split ?? null)));
    if (row.total !== null && row.settled >= row.total) {
      run.openSegments--;
      await finishGroups(tx, run, next.segment);
      queue.push(...(await wakeConsumers(tx, run, next.segment, row.broken > 0)));
    }
    queue.push(...(await wakeSiblings(tx, run, next)));
  }
}

async function count(tx: Transaction, run: LockedRun, { segment, good, broken, split }: Settled): Promise<SegmentRow> {
  const [row] = await tx.$queryRaw<SegmentRow[]>`
    UPDATE runs.segment SET settled = settled + ${good.length + broken.length}, broken = broken + ${broken.length},
      split = coalesce(${split ? JSON.stringify(split) : null}::jsonb, split)
    WHERE run_id = ${run.id} AND segment = ${segment}
    RETURNING segment, total, settled, broken`;
  if (!row) throw new Error(`Run ${run.id} has no segment ${segment}`);
  return row;
}

/** The same children of segments in the same scope. */
async function wakeSiblings(tx: Transaction, run: LockedRun, { segment, good, broken }: Settled): Promise<Settled[]> {
  const skipped: Settled[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'each') continue;
    if (broken.length > 0) skipped.push(...(await skip(tx, run, consumer.segment, broken)));
    if (good.length > 0) await makeReady(tx, run, consumer.segment, good);
  }
  return skipped;
}

/** What waits for all of a segment. */
async function wakeConsumers(tx: Transaction, run: LockedRun, segment: number, isBroken: boolean): Promise<Settled[]> {
  const skipped: Settled[] = [];
  for (const consumer of run.plan.consumers[segment] ?? []) {
    if (consumer.how !== 'all') continue;
    if (isBroken) skipped.push(...(await skip(tx, run, consumer.segment, null)));
    else await makeReady(tx, run, consumer.segment, null);
  }
  return skipped;
}

/** Ends waiting tasks that can never run. Those of a scope that is not split yet are dealt with when it is. */
async function skip(tx: Transaction, run: LockedRun, segment: number, indexes: number[] | null): Promise<Settled[]> {
  const ended = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = 'DONE'
    WHERE run_id = ${run.id} AND segment = ${segment} AND state IN ('WAITING', 'READY')
      AND (${indexes}::int[] IS NULL OR index = ANY(${indexes ?? []}::int[]))
    RETURNING index`;
  if (ended.length === 0) return [];
  const broken = ended.map(({ index }) => index);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, broken, 'SKIPPED');
  return [{ segment, good: [], broken }];
}
