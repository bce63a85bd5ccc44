import { queryDatabase } from '../../support/query-database.js';
import type { Invariant } from './invariant.js';

/**
 * Attempts that have used processor time: subjobs that have ended without a cached result, and failed attempts. An attempt whose
 * worker was lost costs nothing, but counts in the number of the next entry, so the numbers are not compared. Each entry has
 * another one. Entries of deleted runs remain.
 */
const WRONG = `
  WITH attempt AS (
    SELECT run_id AS run, id AS subjob FROM runs.subjob
    WHERE cpu_ms IS NOT NULL AND cached_from IS NULL AND status IN ('SUCCEEDED', 'FAILED', 'STOPPED')
      AND (task_count IS NULL OR task > 0)
    UNION ALL SELECT run_id, subjob_id FROM runs.attempt WHERE cpu_ms IS NOT NULL AND status <> 'LOST'),
  used AS (SELECT run, subjob, count(*) AS attempts FROM attempt GROUP BY run, subjob),
  charged AS (
    SELECT e.run, e.subjob, count(*) AS entries FROM billing.usage_entry e
    JOIN runs.run r ON r.id = e.run AND r.deleted_at IS NULL GROUP BY e.run, e.subjob)
  SELECT coalesce(u.run, c.run)::text AS run, coalesce(u.subjob, c.subjob)::text AS subjob,
    coalesce(u.attempts, 0)::int AS attempts, coalesce(c.entries, 0)::int AS entries
  FROM used u FULL JOIN charged c ON c.subjob = u.subjob
  WHERE coalesce(u.attempts, 0) <> coalesce(c.entries, 0)
  LIMIT 10`;

const WRONG_SUMS = `
  SELECT r.id::text AS run, r.execution_units::text AS used, coalesce(sum(e.units), 0)::text AS charged
  FROM runs.run r LEFT JOIN billing.usage_entry e ON e.run = r.id WHERE r.deleted_at IS NULL AND r.finished_at IS NOT NULL
  GROUP BY r.id HAVING r.execution_units <> coalesce(sum(e.units), 0)`;

export const findMischarged: Invariant['find'] = async ({ system }) => {
  const attempts = await queryDatabase<{ run: string; subjob: string; attempts: number; entries: number }>(
    system.database,
    WRONG,
  );
  const sums = await queryDatabase<Record<'run' | 'used' | 'charged', string>>(system.database, WRONG_SUMS);
  return [
    ...attempts.map(
      ({ run, subjob, attempts: count, entries }) =>
        `subjob ${subjob} of run ${run} has ${count} attempts that used processor time, and ${entries} entries`,
    ),
    ...sums.map(({ run, used, charged }) => `run ${run} used ${used} units, and its entries have ${charged}`),
  ];
};
