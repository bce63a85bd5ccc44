import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { lockExistingDataset } from '../datasets/lock-datasets.js';
import { lockPlace } from '../spaces/deleted-places.js';
import { publishSourceWorkflows } from './publish-source-workflows.js';

type Binding = Omit<ReportingNode, 'id' | 'source' | 'createdAt' | 'modifiedAt'>;

/** Binds an output to a table. If it is already bound to the table, only `isModule` and `loadPartial` are updated. @throws NotFoundError */
export async function bindOutput(tx: Transaction, binding: Binding): Promise<ReportingNode> {
  const { workflowId, nodeName, outputName, datasetId, isModule, loadPartial } = binding;
  await lockExistingDataset(tx, datasetId);
  await lockPlace(tx, 'Workflow', workflowId);
  const key = { workflowId, nodeName, outputName, datasetId };
  const existing = await tx.reportingNode.findUnique({ where: { workflowId_nodeName_outputName_datasetId: key } });
  if (existing) return tx.reportingNode.update({ where: { id: existing.id }, data: { isModule, loadPartial } });
  const source = await assignSource(tx, key);
  const node = await tx.reportingNode.create({ data: { id: newId(), ...binding, source } });
  await publishSourceWorkflows(tx, binding.vaultId, [workflowId]);
  return node;
}

type ReportingNodeChange = {
  [K in 'nodeName' | 'outputName' | 'isModule' | 'loadPartial' | 'datasetId']?: ReportingNode[K] | undefined;
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
  const { nodeName, outputName, datasetId, isModule, loadPartial } = next;
  await lockExistingDataset(tx, datasetId);
  const key = { workflowId, nodeName, outputName, datasetId };
  const other = await tx.reportingNode.findUnique({ where: { workflowId_nodeName_outputName_datasetId: key } });
  if (other && other.id !== id) {
    throw new ValidationError({
      body: `must not bind the same output to the same table as reporting node ${other.id}`,
    });
  }
  const source = other ? other.source : await assignSource(tx, key);
  const data = { nodeName, outputName, datasetId, isModule, loadPartial, source };
  return orNotFound(`Reporting node ${id}`, tx.reportingNode.update({ where: { id }, data }));
}

type Output = Pick<ReportingNode, 'datasetId' | 'workflowId' | 'nodeName' | 'outputName'>;

/**
 * Assigns a source of a locked table (`lockExistingDataset`) to an output. An output that was bound before gets its previous
 * source, so that its next run finds the rows that it loaded then. A number is never used twice, because rows keep the number
 * of their source after its reporting node is deleted. Uploads have the number 0.
 * @returns the number of the source
 */
async function assignSource(tx: Transaction, { datasetId, workflowId, nodeName, outputName }: Output): Promise<number> {
  const origin = { datasetId, workflowId, node: nodeName, outputName };
  const previous = await tx.source.findFirst({ where: origin });
  if (previous) return previous.number;
  const { _max } = await tx.source.aggregate({ where: { datasetId }, _max: { number: true } });
  const number = (_max.number ?? 0) + 1;
  await tx.source.create({ data: { ...origin, number } });
  await tx.dataset.update({ where: { id: datasetId }, data: { revision: { increment: 1 } }, select: { id: true } });
  return number;
}
