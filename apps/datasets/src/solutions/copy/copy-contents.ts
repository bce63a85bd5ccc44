import type { Transaction } from '@millrace/persistence/database';
import type { Dataset } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { publishWorkflowFeeding } from '../../reporting-nodes/publish-workflow-feeding.js';
import { copyDataset, type CopyTarget } from './copy-dataset.js';
import type { Deadline } from './deadline.js';
import type { WorkflowCopyIds } from './workflow-copier.js';

/** Copies what is in a solution into one that is there. */
export async function copyContents(
  tx: Transaction,
  tables: Dataset[],
  place: CopyTarget & { vaultId: string },
  { workflows, limit }: { workflows: WorkflowCopyIds; limit: Deadline },
): Promise<void> {
  const { solutionId, spaceId, author, vaultId } = place;
  const copies = new Map<string, string>();
  for (const table of tables) {
    copies.set(table.id, await copyDataset(tx, table, { solutionId, spaceId, author }, limit));
  }
  const where = { datasetId: { in: [...copies.keys()] } };
  const views = await tx.view.findMany({ where });
  await tx.view.createMany({
    data: views.flatMap((view) => {
      const datasetId = copies.get(view.datasetId);
      return datasetId === undefined ? [] : [{ ...view, ...anew(), solutionId, datasetId, author }];
    }),
  });
  const nodes = await tx.reportingNode.findMany({ where });
  const bound = nodes.flatMap((node) => {
    const [datasetId, workflowId] = [copies.get(node.datasetId), workflows.get(node.workflowId)];
    return datasetId && workflowId ? [{ ...node, ...anew(), datasetId, workflowId, author }] : [];
  });
  await tx.reportingNode.createMany({ data: bound });
  await tx.$executeRaw`
    UPDATE datasets.source s SET workflow_id = n.workflow_id, node = n.node_name, output_name = n.output_name
    FROM datasets.reporting_node n
    WHERE s.dataset_id = ANY(${[...copies.values()]}::uuid[]) AND n.dataset_id = s.dataset_id AND n.source = s.number`;
  await publishWorkflowFeeding(
    tx,
    vaultId,
    bound.map(({ workflowId }) => workflowId),
  );
}

const anew = () => ({ id: newId(), createdAt: new Date(), modifiedAt: new Date() });
