import { isFinalRun, type RunStatus } from '@millrace/contracts/runs/statuses';
import { endedRunChecks } from '@millrace/runs/admin/check-runs';
import { queryDatabase } from '../../support/query-database.js';
import type { Invariant } from './invariant.js';

/** How often a violation is listed. */
const LIMIT = 5;

export const findStuckRuns: Invariant['find'] = async (matrix, runs) => {
  const { database } = matrix.system;
  const rows = await queryDatabase<{ id: string; status: RunStatus; error: string | null; revision: number }>(
    database,
    'SELECT id::text, status, error, revision FROM runs.run WHERE deleted_at IS NULL',
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const own = runs.flatMap(({ id, status, ends, isDeleted }) => {
    const row = byId.get(id);
    if (isDeleted) return row ? [`run ${id} was deleted, and exists`] : [];
    if (!row) return [`run ${id} does not exist`];
    if (row.status !== status) return [`run ${id} is ${row.status} instead of ${status} (${row.error ?? 'no error'})`];
    return row.revision === ends - 1 ? [] : [`run ${id} has ended ${row.revision + 1} times instead of ${ends}`];
  });
  const counted = endedRunChecks.map(async (check) => {
    const ids = await check.findViolations({ database: matrix.database, rpc: NO_CALLS, limit: LIMIT });
    return ids.map((id) => `run ${id} violates "${check.name}"`);
  });
  const unfinished = rows
    .filter(({ id, status }) => !runs.some((run) => run.id === id) && !isFinalRun(status))
    .map(({ id, status }) => `run ${id} of an earlier case is ${status}`);
  return [...own, ...unfinished, ...(await Promise.all(counted)).flat()];
};

/** These checks only read the database. */
const NO_CALLS = undefined as never;
