import type { Transaction } from '@millrace/persistence/database';

/**
 * Gives a table that is held (`holdDataset`) one more source. No number is used twice, for the rows that came from a
 * source keep its number when its reporting node is gone; 0 are uploads.
 * @returns its number
 */
export async function addSource(tx: Transaction, datasetId: string): Promise<number> {
  const { _max } = await tx.source.aggregate({ where: { datasetId }, _max: { number: true } });
  const number = (_max.number ?? 0) + 1;
  await tx.source.create({ data: { datasetId, number } });
  await tx.dataset.update({ where: { id: datasetId }, data: { revision: { increment: 1 } }, select: { id: true } });
  return number;
}
