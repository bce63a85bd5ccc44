import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { publishWorkflowFeeding } from '../reporting-nodes/publish-workflow-feeding.js';

/**
 * Deletes Live Tables of a vault with all that hangs on them. They are held first, so that no workflow can be bound to
 * one any more; what is in them is dropped by a job, and workflows that fed them are told of.
 */
export async function deleteDatasets(tx: Transaction, vaultId: string, ids: readonly string[]): Promise<void> {
  const held = await tx.$queryRaw<{ id: string; number: number }[]>`
    SELECT id::text, number FROM datasets.dataset
    WHERE id = ANY(${ids}::uuid[]) AND vault_id = ${vaultId}::uuid ORDER BY id FOR UPDATE`;
  if (held.length === 0) return;
  const where = { in: held.map(({ id }) => id) };
  const bound = await tx.reportingNode.findMany({ where: { datasetId: where }, select: { workflowId: true } });
  await tx.dataset.deleteMany({ where: { id: where } });
  tx.enqueue(dropLiveTables, { tables: held.map(({ number }) => number), columns: [] });
  await publishWorkflowFeeding(
    tx,
    vaultId,
    bound.map(({ workflowId }) => workflowId),
  );
}
