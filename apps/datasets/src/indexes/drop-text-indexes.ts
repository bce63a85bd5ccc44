import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { indexName, type IndexPlace } from '../live/names.js';

/**
 * Drops the indexes by range and order of a table's text columns, which are not made again. For a merge that brings a value too long for
 * one (SQLSTATE 54000): rows come before indexes.
 * @returns whether there were any
 */
export async function dropTextIndexes(database: Database, datasetId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const dropped = await tx.$queryRaw<(IndexPlace & { number: number })[]>`
      UPDATE datasets.dataset_index i SET state = 'unfit'
      FROM datasets.dataset d JOIN datasets.dataset_column c ON c.dataset_id = d.id
      WHERE d.id = ${datasetId}::uuid AND i.dataset_id = d.id AND c.number IN (i."column", i.by) AND c.type = 'text'
        AND i.kind IN ('range', 'ordered')
      RETURNING d.number, i."column", i.kind, i.by`;
    await tx.dataset.updateMany({ where: { id: datasetId }, data: { revision: { increment: 1 } } });
    await tx.$executeRaw`SET LOCAL lock_timeout = '5s'`;
    for (const { number, ...index } of dropped) {
      await tx.$executeRaw(Prisma.raw(`DROP INDEX IF EXISTS live.${indexName(number, index)}`));
    }
    return dropped.length > 0;
  });
}
