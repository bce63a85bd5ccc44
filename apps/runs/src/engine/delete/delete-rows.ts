import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Rows deleted in one transaction, which takes a tenth of a second: a shutdown waits for it. */
const MAX_DELETED_ROWS = 5_000;

interface RowTable {
  name: string;
  /** The rest of the index that begins with the run. With this order, Postgres reads the index and not all dead rows of the table. */
  order: readonly string[];
}

/** The tables with rows of a run, in the order of deletion: first what others could reuse. */
const TABLES: readonly RowTable[] = [
  { name: 'cache_entry', order: [] },
  { name: 'reusable_result', order: ['key'] },
  { name: 'approval', order: ['subjob_id', 'attempt'] },
  { name: 'attempt', order: ['subjob_id', 'attempt'] },
  { name: 'log_times', order: ['subjob_id', 'attempt', 'stream'] },
  { name: 'output', order: ['step', 'task'] },
  { name: 'subjob', order: ['step', 'task'] },
  { name: 'dispatch', order: [] },
  { name: 'task', order: ['segment', 'index'] },
  { name: 'change', order: ['seq'] },
  { name: 'requirement', order: ['segment'] },
  { name: 'segment', order: ['segment'] },
  { name: 'content', order: ['sha256'] },
];

/** A row that another transaction has moved to another run in the meantime, such as a cached result, stays. */
function deleteFrom({ name, order }: RowTable, run: bigint, limit: number): Prisma.Sql {
  const table = Prisma.raw(`runs.${name}`);
  const orderBy = order.length > 0 ? Prisma.raw(`ORDER BY ${order.join(', ')}`) : Prisma.empty;
  return Prisma.sql`
    DELETE FROM ${table} WHERE run_id = ${run}
      AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE run_id = ${run} ${orderBy} LIMIT ${limit}::int))`;
}

/**
 * Deletes a batch of rows of the run that was deleted first, and the run itself after its last row. Several copies of the
 * service share the work, because each skips a run that another one is deleting from.
 * @returns whether there may be more to delete
 */
export async function deleteRows(database: Database, maxRows = MAX_DELETED_ROWS): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [run] = await tx.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM runs.run WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!run) return false;
    let left = maxRows;
    for (const table of TABLES) {
      left -= await tx.$executeRaw(deleteFrom(table, run.id, left));
      if (left <= 0) return true;
    }
    await tx.$executeRaw`DELETE FROM runs.run WHERE id = ${run.id}`;
    return true;
  });
}
