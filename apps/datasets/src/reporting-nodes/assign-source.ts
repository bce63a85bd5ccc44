import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';

type Output = Pick<ReportingNode, 'datasetId' | 'workflowId' | 'nodeName' | 'outputName'>;

/**
 * Assigns a source of a locked table (`lockExistingDataset`) to an output. An output that was bound before gets its previous
 * source, so that its next run finds the rows that it loaded then. A number is never used twice, because rows keep the number
 * of their source after its reporting node is deleted. Uploads have the number 0.
 * @returns the number of the source
 */
export async function assignSource(
  tx: Transaction,
  { datasetId, workflowId, nodeName, outputName }: Output,
): Promise<number> {
  const origin = { datasetId, workflowId, node: nodeName, outputName };
  const previous = await tx.source.findFirst({ where: origin });
  if (previous) return previous.number;
  const { _max } = await tx.source.aggregate({ where: { datasetId }, _max: { number: true } });
  const number = (_max.number ?? 0) + 1;
  await tx.source.create({ data: { ...origin, number } });
  await tx.dataset.update({ where: { id: datasetId }, data: { revision: { increment: 1 } }, select: { id: true } });
  return number;
}
