import type { Transaction } from '@millrace/persistence/database';
import type { Dataset } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { publishWorkflowFeeding } from '../../reporting-nodes/publish-workflow-feeding.js';
import { copyDataset, type CopyTarget } from './copy-dataset.js';
import type { Deadline } from './deadline.js';
import type { WorkflowCopyIds } from './workflow-copier.js';

/** Copies the tables, views and reporting nodes of a solution into one that exists. */
export async function copyContents(
  tx: Transaction,
  tables: Dataset[],
  target: CopyTarget & { vaultId: string },
  { workflows, deadline }: { workflows: WorkflowCopyIds; deadline: Deadline },
): Promise<void> {
  const { solutionId, spaceId, author, vaultId } = target;
  const copies = new Map<string, string>();
  for (const table of tables) {
    copies.set(table.id, await copyDataset(tx, table, { solutionId, spaceId, author }, deadline));
  }
  const where = { datasetId: { in: [...copies.keys()] } };
  const views = await tx.view.findMany({ where });
  await tx.view.createMany({
    data: views.flatMap((view) => {
      const datasetId = copies.get(view.datasetId);
      return datasetId === undefined ? [] : [{ ...view, ...newRecord(), solutionId, datasetId, author }];
    }),
  });
  const nodes = await tx.reportingNode.findMany({ where });
  const boundNodes = nodes.flatMap((node) => {
    const [datasetId, workflowId] = [copies.get(node.datasetId), workflows.get(node.workflowId)];
    return datasetId && workflowId ? [{ ...node, ...newRecord(), datasetId, workflowId, author }] : [];
  });
  await tx.reportingNode.createMany({ data: boundNodes });
  await tx.$executeRaw`
    UPDATE datasets.source s SET workflow_id = n.workflow_id, node = n.node_name, output_name = n.output_name
    FROM datasets.reporting_node n
    WHERE s.dataset_id = ANY(${[...copies.values()]}::uuid[]) AND n.dataset_id = s.dataset_id AND n.source = s.number`;
  await publishWorkflowFeeding(
    tx,
    vaultId,
    boundNodes.map(({ workflowId }) => workflowId),
  );
}

const newRecord = () => ({ id: newId(), createdAt: new Date(), modifiedAt: new Date() });
