import type { Database, Transaction } from '@millrace/persistence/database';
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
 * pinned or have not ended; a run that a user pins or retries at the same moment is locked, and stays, too. A deleted
 * workflow keeps no newest runs and no newest success, because they would stay for ever.
 * @returns how many runs were deleted
 */
export async function deleteExpired(
  database: Database,
  workflow: KeptWorkflow,
  { graceMinutes, limit }: ExpiryOptions,
): Promise<number> {
  if (workflow.days === null && workflow.runs === null) return 0;
  const select = async (client: Client) =>
    selectExpired(workflow, await findBeyond(client, workflow), { graceMinutes, limit });
  // Most workflows have nothing to delete, so this comes before a transaction.
  const [found] = await database.client.$queryRaw<{ id: bigint }[]>(await select(database.client));
  if (!found) return 0;
  return database.transaction(async (tx) => {
    if (!(await hasSameRetention(tx, workflow))) return 0;
    const runs = await tx.$queryRaw<{ id: bigint }[]>`${await select(tx)} FOR UPDATE SKIP LOCKED`;
    const hidden = await hideRuns(
      tx,
      runs.map(({ id }) => id),
    );
    return hidden.length;
  });
}

type Client = Pick<Database['client'] | Transaction, '$queryRaw'>;

/** The newest run beyond the number that is kept. Of a deleted workflow, that number is 0. */
interface Beyond {
  createdAt: Date;
  id: bigint;
}

async function findBeyond(client: Client, workflow: KeptWorkflow): Promise<Beyond | null> {
  if (workflow.runs === null) return null;
  const [beyond] = await client.$queryRaw<Beyond[]>`
    SELECT b.created_at AS "createdAt", b.id FROM runs.run b WHERE ${isOf('b', workflow)}
    ORDER BY b.created_at DESC, b.id DESC OFFSET ${workflow.isDeleted ? 0 : workflow.runs}::int LIMIT 1`;
  return beyond ?? null;
}

/** The condition on `created_at` follows from the others, and lets Postgres read only the oldest runs in the index. */
function selectExpired(
  workflow: KeptWorkflow,
  beyond: Beyond | null,
  { graceMinutes, limit }: ExpiryOptions,
): Prisma.Sql {
  const ago = (minutes: number) => Prisma.sql`now() - ${minutes}::int * interval '1 minute'`;
  const oldest = workflow.days === null ? null : ago(workflow.days * 24 * 60);
  const isTooOld = oldest ? Prisma.sql`r.finished_at < ${oldest}` : Prisma.sql`false`;
  const isBeyond = beyond
    ? Prisma.sql`(r.created_at, r.id) <= (${beyond.createdAt}::timestamptz, ${beyond.id}::bigint)`
    : Prisma.sql`false`;
  return Prisma.sql`
    SELECT r.id FROM runs.run r
    WHERE ${isOf('r', workflow)} AND r.finished_at < ${ago(graceMinutes)} AND NOT r.pinned AND r.deleted_at IS NULL
      AND r.created_at <= greatest(${oldest ?? Prisma.sql`NULL`}, ${beyond?.createdAt ?? null}::timestamptz)
      AND (${isTooOld} OR ${isBeyond})
      AND ${workflow.isDeleted ? Prisma.sql`true` : isNoNewestSuccess(workflow)}
    ORDER BY r.created_at, r.id LIMIT ${limit}::int`;
}

const isNoNewestSuccess = (workflow: KeptWorkflow): Prisma.Sql => Prisma.sql`
  r.id IS DISTINCT FROM (
    SELECT s.id FROM runs.run s WHERE ${isOf('s', workflow)} AND s.status = 'COMPLETED'
    ORDER BY s.created_at DESC, s.id DESC LIMIT 1)`;

const isOf = (alias: 'r' | 'b' | 's', { vault, space, workflow }: KeptWorkflow): Prisma.Sql => {
  const run = Prisma.raw(alias);
  return Prisma.sql`${run}.vault_id = ${vault}::uuid AND ${run}.space_id = ${space}::uuid AND ${run}.workflow_id = ${workflow}::uuid`;
};
