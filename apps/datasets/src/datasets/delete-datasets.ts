import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import { tablesDeleted } from '@millrace/contracts/datasets/table-changes';
import type { Transaction } from '@millrace/persistence/database';
import { publishSourceWorkflows } from '../reporting-nodes/publish-source-workflows.js';

/**
 * Deletes Live Tables of a vault and everything that belongs to them. It locks them first, so that no workflow can be
 * bound to one. A job drops the physical tables. The workflows that were bound to them are notified.
 */
export async function deleteDatasets(tx: Transaction, vaultId: string, ids: readonly string[]): Promise<void> {
  const locked = await tx.$queryRaw<{ id: string; number: number }[]>`
    SELECT id::text, number FROM datasets.dataset
    WHERE id = ANY(${ids}::uuid[]) AND vault_id = ${vaultId}::uuid ORDER BY id FOR UPDATE`;
  if (locked.length === 0) return;
  const isDeleted = { in: locked.map(({ id }) => id) };
  const bound = await tx.reportingNode.findMany({ where: { datasetId: isDeleted }, select: { workflowId: true } });
  await tx.dataset.deleteMany({ where: { id: isDeleted } });
  tx.emit(tablesDeleted, { vault: vaultId, datasets: isDeleted.in, views: [] });
  tx.enqueue(dropLiveTables, { tables: locked.map(({ number }) => number), columns: [] });
  await publishSourceWorkflows(
    tx,
    vaultId,
    bound.map(({ workflowId }) => workflowId),
  );
}
