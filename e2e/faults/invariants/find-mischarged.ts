import { queryDatabase } from '../../support/query-database.js';
import type { Invariant } from './invariant.js';

/**
 * Attempts that have used processor time: subjobs that have ended without a cached result, and failed attempts. Attempts
 * whose worker was lost cost nothing. Entries of deleted runs remain.
 */
const WRONG = `
  WITH attempt AS (
    SELECT run_id AS run, id AS subjob, attempt, execution_units AS units FROM runs.subjob
    WHERE cpu_ms IS NOT NULL AND cached_from IS NULL AND status IN ('SUCCEEDED', 'FAILED', 'STOPPED')
      AND (task_count IS NULL OR task > 0)
    UNION ALL SELECT run_id, subjob_id, attempt, execution_units FROM runs.attempt WHERE cpu_ms IS NOT NULL AND status <> 'LOST'),
  entry AS (SELECT e.* FROM billing.usage_entry e JOIN runs.run r ON r.id = e.run AND r.deleted_at IS NULL)
  SELECT coalesce(a.run, e.run)::text AS run, coalesce(a.subjob, e.subjob)::text AS subjob,
    coalesce(a.attempt, e.attempt) AS attempt, a.units::text AS used, e.units::text AS charged
  FROM attempt a FULL JOIN entry e ON e.subjob = a.subjob AND e.attempt = a.attempt
  WHERE a.subjob IS NULL OR e.subjob IS NULL
  LIMIT 10`;

const WRONG_SUMS = `
  SELECT r.id::text AS run, r.execution_units::text AS used, coalesce(sum(e.units), 0)::text AS charged
  FROM runs.run r LEFT JOIN billing.usage_entry e ON e.run = r.id WHERE r.deleted_at IS NULL AND r.finished_at IS NOT NULL
  GROUP BY r.id HAVING r.execution_units <> coalesce(sum(e.units), 0)`;

export const findMischarged: Invariant['find'] = async ({ system }) => {
  const attempts = await queryDatabase<Record<'run' | 'subjob' | 'attempt' | 'used' | 'charged', string | null>>(
    system.database,
    WRONG,
  );
  const sums = await queryDatabase<Record<'run' | 'used' | 'charged', string>>(system.database, WRONG_SUMS);
  return [
    ...attempts.map(
      ({ run, subjob, attempt, used, charged }) =>
        `attempt ${attempt} of subjob ${subjob} in run ${run} used ${used ?? 'nothing'} and is charged ${charged ?? 'nothing'}`,
    ),
    ...sums.map(({ run, used, charged }) => `run ${run} used ${used} units, and its entries have ${charged}`),
  ];
};
