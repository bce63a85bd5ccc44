import type { Database, Transaction } from '@millrace/persistence/database';
import { deleteBatch, deleteInBatches } from '@millrace/persistence/delete-in-batches';
import { Prisma } from '@millrace/persistence/generated/client';
import { lockDataset } from '../../datasets/lock-datasets.js';
import { changesName } from '../../live/names.js';

/** A load that ended long ago. */
export interface ExpiredLoad {
  id: bigint;
  datasetId: string;
  finishedAt: Date;
}

const BATCH_SIZE = 5_000;

/**
 * Deletes a load with its parts, its rejected rows and the changes that it made. The rows of the table stay, and so does the
 * generation, which has the run that they come from. Interrupted anywhere, it can be repeated.
 */
export async function expireLoad(database: Database, load: ExpiredLoad, batchSize = BATCH_SIZE): Promise<void> {
  const changes = await findChanges(database, load);
  if (changes) {
    const condition = Prisma.sql`generation = ${changes.generation}`;
    await deleteInBatches(database.client, changes.table, condition, batchSize);
  }
  await forgetLoad(database, load);
  while (await database.transaction((tx) => deletePiece(tx, load, batchSize)));
}

/** @returns whether more is left. Nothing is if a user has retried the load in the meantime. */
async function deletePiece(tx: Transaction, { id, finishedAt }: ExpiredLoad, batchSize: number): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load
    WHERE id = ${id} AND finished_at = ${finishedAt} AND status IN ('COMPLETED', 'FAILED') FOR UPDATE`;
  if (locked.length === 0) return false;
  for (const table of ['rejected_row', 'load_part']) {
    const deleted = await deleteBatch(tx, `datasets.${table}`, Prisma.sql`load_id = ${id}`, batchSize);
    if (deleted === batchSize) return true;
  }
  await tx.load.delete({ where: { id } });
  return false;
}

/** The changes of the load's generation; null if it has none, because it failed or the table was cleared. */
async function findChanges(
  { client }: Database,
  { id, datasetId }: ExpiredLoad,
): Promise<{ table: string; generation: bigint } | null> {
  const [found] = await client.$queryRaw<{ number: number; generation: bigint }[]>`
    SELECT d.number, g.number AS generation FROM datasets.generation g JOIN datasets.dataset d ON d.id = g.dataset_id
    WHERE g.dataset_id = ${datasetId}::uuid AND g.load_id = ${id}`;
  return found ? { table: changesName(found.number), generation: found.generation } : null;
}

/**
 * Takes the load out of the table's number of rejected rows, and out of its generation, so that this happens once. The
 * rejected rows of a load count unless a later revision of its run replaced them.
 */
const forgetLoad = (database: Database, { id, datasetId }: ExpiredLoad): Promise<void> =>
  database.transaction(async (tx) => {
    if (!(await lockDataset(tx, datasetId))) return;
    await tx.$executeRaw`
      UPDATE datasets.dataset d SET revision = d.revision + 1, rejected = d.rejected - counted.rejected
      FROM (
        SELECT coalesce(sum(p.rejected), 0)::bigint AS rejected
        FROM datasets.generation g JOIN datasets.load_part p ON p.load_id = g.load_id
        WHERE g.dataset_id = ${datasetId}::uuid AND g.load_id = ${id} AND (g.run_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM datasets.generation later
          WHERE later.dataset_id = g.dataset_id AND later.source = g.source AND later.run_id = g.run_id
            AND later.number > g.number))) AS counted
      WHERE d.id = ${datasetId}::uuid AND counted.rejected > 0`;
    // The position orders merges of one run, and is the id of the load if it is not set.
    await tx.$executeRaw`
      UPDATE datasets.generation SET position = coalesce(position, load_id), load_id = NULL
      WHERE dataset_id = ${datasetId}::uuid AND load_id = ${id}`;
  });
