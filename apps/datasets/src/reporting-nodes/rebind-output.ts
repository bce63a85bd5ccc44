import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { lockExistingDataset } from '../datasets/lock-datasets.js';
import { assignSource } from './assign-source.js';

type ReportingNodeChange = {
  [K in 'nodeName' | 'outputName' | 'isModule' | 'datasetId']?: ReportingNode[K] | undefined;
};

/**
 * Changes the output or the table of a reporting node. Another output or table is another source: rows of the previous one
 * stay, and runs of the new one do not remove them. If the previous one is bound again, it is the same source as before.
 * @throws NotFoundError; ValidationError if another reporting node binds the same output to the same table
 */
export async function rebindOutput(tx: Transaction, id: string, change: ReportingNodeChange): Promise<ReportingNode> {
  const current = await tx.reportingNode.findUnique({ where: { id } });
  if (!current) throw new NotFoundError(`Reporting node ${id}`);
  const { workflowId, ...next } = { ...current, ...omitUndefined(change) };
  const { nodeName, outputName, datasetId } = next;
  await lockExistingDataset(tx, datasetId);
  const key = { workflowId, nodeName, outputName, datasetId };
  const other = await tx.reportingNode.findUnique({ where: { workflowId_nodeName_outputName_datasetId: key } });
  if (other && other.id !== id) {
    throw new ValidationError({
      body: `must not bind the same output to the same table as reporting node ${other.id}`,
    });
  }
  const source = other ? other.source : await assignSource(tx, key);
  const data = { nodeName, outputName, datasetId, isModule: next.isModule, source };
  return orNotFound(`Reporting node ${id}`, tx.reportingNode.update({ where: { id }, data }));
}
