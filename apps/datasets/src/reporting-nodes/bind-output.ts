import type { Transaction } from '@millrace/persistence/database';
import type { ReportingNode } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { lockExistingDataset } from '../datasets/lock-datasets.js';
import { lockPlace } from '../spaces/deleted-places.js';
import { assignSource } from './assign-source.js';
import { publishWorkflowFeeding } from './publish-workflow-feeding.js';

export type Binding = Omit<ReportingNode, 'id' | 'source' | 'createdAt' | 'modifiedAt'>;

/** Binds an output to a table. If it is already bound to the table, only `isModule` is updated. @throws NotFoundError */
export async function bindOutput(tx: Transaction, binding: Binding): Promise<ReportingNode> {
  const { workflowId, nodeName, outputName, datasetId, isModule } = binding;
  await lockExistingDataset(tx, datasetId);
  await lockPlace(tx, 'Workflow', workflowId);
  const key = { workflowId, nodeName, outputName, datasetId };
  const existing = await tx.reportingNode.findUnique({ where: { workflowId_nodeName_outputName_datasetId: key } });
  if (existing) return tx.reportingNode.update({ where: { id: existing.id }, data: { isModule } });
  const source = await assignSource(tx, key);
  const node = await tx.reportingNode.create({ data: { id: newId(), ...binding, source } });
  await publishWorkflowFeeding(tx, binding.vaultId, [workflowId]);
  return node;
}
