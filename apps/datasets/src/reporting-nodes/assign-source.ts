import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';

type Output = Pick<ReportingNode, 'datasetId' | 'workflowId' | 'nodeName' | 'outputName'>;

/**
 * The source that an output is in a table that is held (`holdDataset`): the one that it was when it was bound before, so
 * that its next run finds the rows that it brought then; else a new one. No number is used twice, for the rows that came
 * from a source keep its number when its reporting node is gone; 0 are uploads.
 * @returns its number
 */
export async function assignSource(
  tx: Transaction,
  { datasetId, workflowId, nodeName, outputName }: Output,
): Promise<number> {
  const origin = { datasetId, workflowId, node: nodeName, outputName };
  const former = await tx.source.findFirst({ where: origin });
  if (former) return former.number;
  const { _max } = await tx.source.aggregate({ where: { datasetId }, _max: { number: true } });
  const number = (_max.number ?? 0) + 1;
  await tx.source.create({ data: { ...origin, number } });
  await tx.dataset.update({ where: { id: datasetId }, data: { revision: { increment: 1 } }, select: { id: true } });
  return number;
}
