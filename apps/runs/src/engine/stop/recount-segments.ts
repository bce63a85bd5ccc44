import type { Transaction } from '@millrace/persistence/database';
import { finishGroups } from '../settle/finish-groups.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Counts the ended tasks of each segment again. One that had not ended is broken now; one that was never split has no children.
 */
export async function recountSegments(tx: Transaction, run: LockedRun): Promise<void> {
  const rows = await tx.$queryRaw<{ segment: number; isOpen: boolean }[]>`
    UPDATE runs.segment AS s SET total = coalesce(s.total, 0), settled = d.settled,
      broken = CASE WHEN s.total IS NULL OR s.settled < s.total THEN greatest(s.broken, 1) ELSE s.broken END
    FROM (SELECT s.segment, count(t.index) FILTER (WHERE t.state = 'DONE')::int AS settled
      FROM runs.segment s LEFT JOIN runs.task t ON t.run_id = s.run_id AND t.segment = s.segment
      WHERE s.run_id = ${run.id} GROUP BY s.segment) d
    WHERE s.run_id = ${run.id} AND s.segment = d.segment
    RETURNING s.segment, s.settled < s.total AS "isOpen"`;
  run.openSegments = rows.filter(({ isOpen }) => isOpen).length;
  for (const { segment, isOpen } of rows) if (!isOpen) await finishGroups(tx, run, segment);
}
