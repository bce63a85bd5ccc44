import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { indexName } from '../live/names.js';

/**
 * Drops the range indexes of a table's text columns, which are not made again. For a merge that brings a value too long for
 * one (SQLSTATE 54000): rows come before indexes.
 * @returns whether there were any
 */
export async function dropTextIndexes(database: Database, datasetId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const dropped = await tx.$queryRaw<{ number: number; column: number }[]>`
      UPDATE datasets.dataset_index i SET state = 'unfit'
      FROM datasets.dataset d JOIN datasets.dataset_column c ON c.dataset_id = d.id
      WHERE d.id = ${datasetId}::uuid AND i.dataset_id = d.id AND i."column" = c.number AND i.kind = 'range' AND c.type = 'text'
      RETURNING d.number, i."column"`;
    await tx.dataset.updateMany({ where: { id: datasetId }, data: { revision: { increment: 1 } } });
    await tx.$executeRaw`SET LOCAL lock_timeout = '5s'`;
    for (const { number, column } of dropped) {
      await tx.$executeRaw(Prisma.raw(`DROP INDEX IF EXISTS live.${indexName(number, column, 'range')}`));
    }
    return dropped.length > 0;
  });
}
