import { queryDatabase } from '../../support/query-database.js';
import type { Invariant } from './invariant.js';

/** Clocks of two processes on one machine are equal; a time is taken shortly before its row is written. */
const TOLERANCE = `interval '2 s'`;

const WRONG = `
  WITH times AS (
    SELECT 'run ' || id AS record, created_at, started_at, finished_at FROM runs.run WHERE revision = 0 AND deleted_at IS NULL
    UNION ALL SELECT s.node || ' of run ' || s.run_id, r.created_at, s.started_at, s.finished_at
      FROM runs.subjob s JOIN runs.run r ON r.id = s.run_id WHERE r.deleted_at IS NULL
    UNION ALL SELECT 'the ledger entry of subjob ' || e.subjob, r.created_at, NULL, e.finished_at
      FROM billing.usage_entry e JOIN runs.run r ON r.id = e.run WHERE r.deleted_at IS NULL)
  SELECT record, created_at, started_at, finished_at FROM times
  WHERE started_at < created_at - ${TOLERANCE} OR finished_at < coalesce(started_at, created_at) - ${TOLERANCE}
    OR greatest(started_at, finished_at) > now() + ${TOLERANCE}
  LIMIT 10`;

export const findWrongTimes: Invariant['find'] = async ({ system }) => {
  const rows = await queryDatabase<{
    record: string;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  }>(system.database, WRONG);
  return rows.map(
    ({ record, created_at, started_at, finished_at }) =>
      `${record}: created ${created_at.toISOString()}, started ${started_at?.toISOString()}, finished ${finished_at?.toISOString()}`,
  );
};
