import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { assignSource } from './assign-source.js';
import { lockExistingDataset } from './lock-existing-dataset.js';

type Change = { [K in 'nodeName' | 'outputName' | 'isModule' | 'datasetId']?: ReportingNode[K] | undefined };

/**
 * Changes what a reporting node binds, or to which table. Another output or another table is another source: what was
 * read from the former one stays, and no run of the new one takes it away. Bound again it is the source that it was.
 * @throws NotFoundError; ValidationError where the output is bound to that table by another reporting node
 */
export async function rebindOutput(tx: Transaction, id: string, change: Change): Promise<ReportingNode> {
  const former = await tx.reportingNode.findUnique({ where: { id } });
  if (!former) throw new NotFoundError('Reporting node');
  const { workflowId, ...next } = { ...former, ...omitUndefined(change) };
  const { nodeName, outputName, datasetId } = next;
  await lockExistingDataset(tx, datasetId);
  const key = { workflowId, nodeName, outputName, datasetId };
  const other = await tx.reportingNode.findUnique({ where: { workflowId_nodeName_outputName_datasetId: key } });
  if (other && other.id !== id) {
    throw new ValidationError({ body: `would be the same as the reporting node ${other.id}` });
  }
  const source = other ? other.source : await assignSource(tx, key);
  const data = { nodeName, outputName, datasetId, isModule: next.isModule, source };
  return orNotFound('Reporting node', tx.reportingNode.update({ where: { id }, data }));
}
