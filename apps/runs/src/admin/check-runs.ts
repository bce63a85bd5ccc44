import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type InvariantCheck } from '@millrace/service/admin/invariant-check';

/** Each of these runs is looked at as a whole, so that the check ends in time. */
const newest = Prisma.sql`
  newest AS MATERIALIZED (
    SELECT * FROM runs.run WHERE finished_at IS NOT NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT 1000)`;

/** What holds for runs that have ended. The tests of the engine check the same (`testing/stepped-engine.ts`). */
export const endedRunChecks: InvariantCheck[] = [
  checkBySql(
    'A run that has ended has no task that is not done, and no dispatch',
    Prisma.sql`
      SELECT r.id::text AS id FROM runs.run r WHERE r.finished_at IS NOT NULL AND r.deleted_at IS NULL
        AND (EXISTS (SELECT FROM runs.task t WHERE t.run_id = r.id AND t.state <> 'DONE')
          OR EXISTS (SELECT FROM runs.dispatch d WHERE d.run_id = r.id))`,
  ),
  checkBySql(
    'A run that has ended counts its subjobs by status (newest 1,000 runs)',
    Prisma.sql`
      WITH ${newest}, counted AS (
        SELECT n.id, count(*) FILTER (WHERE s.status = 'SUCCEEDED') AS succeeded,
          count(*) FILTER (WHERE s.status = 'FAILED') AS failed, count(*) FILTER (WHERE s.status = 'STOPPED') AS stopped,
          count(*) FILTER (WHERE s.status = 'SKIPPED') AS skipped
        FROM newest n LEFT JOIN runs.subjob s
          ON s.run_id = n.id AND (s.task > 0 OR s.task_count IS NULL OR s.task_count = 0)
        GROUP BY n.id)
      SELECT n.id::text AS id FROM newest n JOIN counted c USING (id)
      WHERE (n.succeeded, n.failed, n.stopped, n.skipped) <> (c.succeeded, c.failed, c.stopped, c.skipped)
        OR n.pending + n.running + n.stopping <> 0`,
  ),
  checkBySql(
    'A run that has ended counts the bytes of its outputs and logs (newest 1,000 runs)',
    Prisma.sql`
      WITH ${newest}, stored AS (
        SELECT run_id, size + coalesce(shown_size, 0) AS bytes FROM runs.output WHERE run_id IN (SELECT id FROM newest)
        UNION ALL SELECT run_id, coalesce((stdout->>'size')::bigint, 0) + coalesce((stderr->>'size')::bigint, 0)
          FROM runs.subjob WHERE run_id IN (SELECT id FROM newest)
        UNION ALL SELECT run_id, coalesce((stdout->>'size')::bigint, 0) + coalesce((stderr->>'size')::bigint, 0)
          FROM runs.attempt WHERE run_id IN (SELECT id FROM newest))
      SELECT n.id::text AS id FROM newest n
      WHERE n.stored_bytes <> coalesce((SELECT sum(bytes) FROM stored s WHERE s.run_id = n.id), 0)`,
  ),
];
