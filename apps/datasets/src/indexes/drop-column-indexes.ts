import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { FullDataset } from '../datasets/find-dataset.js';
import { indexName, type IndexKind } from '../live/names.js';
import { whereIndexesColumn } from './indexes-on.js';

/** Drops the indexes of a column whose type will change. The table is locked; the indexes may be built again later. */
export async function dropColumnIndexes(
  tx: Transaction,
  { id, number }: Pick<FullDataset, 'id' | 'number'>,
  column: number,
): Promise<void> {
  const where = whereIndexesColumn(id, column);
  for (const { kind, ...index } of await tx.datasetIndex.findMany({ where })) {
    const name = indexName(number, { ...index, kind: kind as IndexKind });
    await tx.$executeRaw(Prisma.raw(`DROP INDEX IF EXISTS live.${name}`));
  }
  await tx.datasetIndex.deleteMany({ where });
}
