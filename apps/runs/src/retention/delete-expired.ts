import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { hideRuns } from '../engine/delete/hide-runs.js';
import { hasSameRetention, type KeptWorkflow } from './find-retention.js';

export interface ExpiryOptions {
  /** Runs that ended less than this time ago stay, so that clients and Live Tables can read their outputs. */
  graceMinutes: number;
  /** Maximum number of runs that one call deletes. */
  limit: number;
}

/**
 * Deletes the oldest runs of a workflow that are beyond its limits. The newest success stays, and so do runs that are
 * pinned or have not ended; a run that a user pins or retries at the same moment is locked, and stays, too.
 * @returns how many runs were deleted
 */
export async function deleteExpired(
  database: Database,
  workflow: KeptWorkflow,
  { graceMinutes, limit }: ExpiryOptions,
): Promise<number> {
  if (workflow.days === null && workflow.runs === null) return 0;
  const expired = selectExpired(workflow, graceMinutes, limit);
  // Most workflows have nothing to delete, so this comes before a transaction.
  const [found] = await database.client.$queryRaw<{ id: bigint }[]>(expired);
  if (!found) return 0;
  return database.transaction(async (tx) => {
    if (!(await hasSameRetention(tx, workflow))) return 0;
    const runs = await tx.$queryRaw<{ id: bigint }[]>`${expired} FOR UPDATE SKIP LOCKED`;
    const hidden = await hideRuns(
      tx,
      runs.map(({ id }) => id),
    );
    return hidden.length;
  });
}

function selectExpired(workflow: KeptWorkflow, graceMinutes: number, limit: number): Prisma.Sql {
  const { days, runs } = workflow;
  const minutes = (count: number) => Prisma.sql`now() - ${count}::int * interval '1 minute'`;
  const isTooOld = days === null ? Prisma.sql`false` : Prisma.sql`r.finished_at < ${minutes(days * 24 * 60)}`;
  const isBeyond =
    runs === null
      ? Prisma.sql`false`
      : Prisma.sql`(r.created_at, r.id) <= (
          SELECT b.created_at, b.id FROM runs.run b WHERE ${isOf('b', workflow)}
          ORDER BY b.created_at DESC, b.id DESC OFFSET ${runs}::int LIMIT 1)`;
  return Prisma.sql`
    SELECT r.id FROM runs.run r
    WHERE ${isOf('r', workflow)} AND r.finished_at < ${minutes(graceMinutes)} AND NOT r.pinned AND r.deleted_at IS NULL
      AND (${isTooOld} OR ${isBeyond})
      AND r.id IS DISTINCT FROM (
        SELECT s.id FROM runs.run s WHERE ${isOf('s', workflow)} AND s.status = 'COMPLETED'
        ORDER BY s.created_at DESC, s.id DESC LIMIT 1)
    ORDER BY r.created_at, r.id LIMIT ${limit}::int`;
}

const isOf = (alias: 'r' | 'b' | 's', { vault, space, workflow }: KeptWorkflow): Prisma.Sql => {
  const run = Prisma.raw(alias);
  return Prisma.sql`${run}.vault_id = ${vault}::uuid AND ${run}.space_id = ${space}::uuid AND ${run}.workflow_id = ${workflow}::uuid`;
};
