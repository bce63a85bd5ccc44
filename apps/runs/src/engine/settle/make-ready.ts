import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isChosen } from '../rows/is-chosen.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Makes tasks ready, or has their condition checked, whose needs are met: every segment needed as a whole (`all`) is complete and unbroken, and the same child
 * of every other needed segment (`each`) is done.
 * @param indexes null means all tasks of the segment
 */
export async function makeReady(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[] | null,
): Promise<void> {
  if (run.isEnding) return;
  const { needs } = run.plan.segment(segment);
  const state = run.plan.readyState(segment);
  const needed = (how: 'each' | 'all') => needs.filter((need) => need.how === how).map((need) => need.segment);
  const each = needed('each');
  // An aggregate, not NOT EXISTS: for a run of which Postgres has no statistics yet, it may compare every child with every other.
  const chosen =
    each.length === 0
      ? isChosen(indexes)
      : Prisma.sql`index = ANY(ARRAY(
          SELECT index FROM runs.task WHERE run_id = ${run.id} AND segment = ANY(${each}::int[]) AND ${isChosen(indexes)}
          GROUP BY index HAVING bool_and(state = 'DONE')))`;
  const updated = await tx.$executeRaw`
    UPDATE runs.task SET state = ${state}
    WHERE run_id = ${run.id} AND segment = ${segment} AND state = 'WAITING' AND ${chosen}
      AND NOT EXISTS (
        SELECT 1 FROM runs.segment s WHERE s.run_id = ${run.id} AND s.segment = ANY(${needed('all')}::int[])
          AND (s.total IS NULL OR s.settled < s.total OR s.broken > 0))`;
  if (updated > 0 && state === 'CHECKING') run.hasChecks = true;
}
