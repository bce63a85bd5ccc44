import type { Transaction } from '@millrace/persistence/database';
import { LOAD_TRANSITIONS } from '../loads/load-transitions.js';
import type { MergePlan } from './merge-plan.js';
import type { MergeResult } from './merge-rows.js';
import type { MergeState } from './merge-state.js';

/** Records a merge: its generation, what its source has seen, the table's counts, and the end of the load. */
export async function completeLoad(
  tx: Transaction,
  { load, table, batches }: MergeState,
  plan: MergePlan,
  counts: MergeResult,
): Promise<void> {
  const { generation, source, complete } = plan;
  const { created, changed, unchanged, gone, coversSource } = counts;
  await tx.generation.create({
    data: {
      ...{ datasetId: table.id, number: generation, source, loadId: load.id, runId: load.runId, complete },
      ...{ workflowId: load.workflowId, versionId: load.versionId, node: load.node },
      ...{ created, changed, unchanged, gone },
    },
  });
  const latest = { latest: generation, ...(coversSource && { complete: generation }) };
  await tx.source.upsert({
    where: { datasetId_number: { datasetId: table.id, number: source } },
    create: { datasetId: table.id, number: source, ...latest },
    update: latest,
  });
  const rejected = batches.reduce((sum, batch) => sum + batch.rejected, 0n);
  const now = new Date();
  await tx.dataset.update({
    where: { id: table.id },
    data: {
      ...{ rows: { increment: created }, rejected: { increment: rejected } },
      ...{ revision: { increment: 1 }, loadedAt: now },
    },
  });
  await tx.load.update({
    where: { id: load.id },
    data: { status: LOAD_TRANSITIONS.complete.to, generation, created, changed, unchanged, gone, finishedAt: now },
  });
}
