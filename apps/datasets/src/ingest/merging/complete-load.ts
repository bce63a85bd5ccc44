import { tableChanged } from '@millrace/contracts/datasets/table-changes';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { LOAD_TRANSITIONS } from '../loads/load-transitions.js';
import type { MergePlan } from './merge-plan.js';
import type { MergeResult } from './merge-rows.js';
import type { MergeState, MergeTable } from './merge-state.js';

/**
 * Records a merge: its generation, what its source has seen, the table's counts, and the end of the load. The rejected rows
 * of earlier revisions of the run no longer count.
 */
export async function completeLoad(
  tx: Transaction,
  { load, table, batches }: MergeState,
  plan: MergePlan,
  counts: MergeResult,
): Promise<void> {
  const { generation, source, complete } = plan;
  const { created, changed, unchanged, gone, removed, coversSource } = counts;
  const formerlyRejected = await discardRejectedRows(tx, load);
  const latest = {
    latest: generation,
    since: await findFirstGeneration(tx, load, generation),
    ...(coversSource && { complete: generation }),
  };
  await tx.generation.create({
    data: {
      ...{ datasetId: table.id, number: generation, source, loadId: load.id, runId: load.runId, complete },
      ...{ workflowId: load.workflowId, versionId: load.versionId, node: load.node },
      position: load.position ?? load.id,
      ...{ created, changed, unchanged, gone },
    },
  });
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
      ...{ rows: { increment: created - removed }, rejected: { increment: rejected - formerlyRejected } },
      ...{ revision: { increment: 1 }, loadedAt: now },
    },
  });
  await tx.load.update({
    where: { id: load.id },
    data: { status: LOAD_TRANSITIONS.complete.to, generation, created, changed, unchanged, gone, finishedAt: now },
  });
  if (created + changed + gone > 0) publishChange(tx, load, table, generation, counts);
}

/** The first of the successive generations that the load's run has in its source. */
async function findFirstGeneration(tx: Transaction, load: Load, generation: bigint): Promise<bigint> {
  const { datasetId, source: number, runId } = load;
  if (runId === null) return generation;
  const source = await tx.source.findUnique({ where: { datasetId_number: { datasetId, number } } });
  if (source?.latest == null) return generation;
  const latest = await tx.generation.findUnique({ where: { datasetId_number: { datasetId, number: source.latest } } });
  return latest?.runId === runId ? (source.since ?? source.latest) : generation;
}

/**
 * Deletes the rejected rows of earlier revisions of the load's run.
 * @returns how many of them the table counts: those of the last revision that is in the table
 */
async function discardRejectedRows(tx: Transaction, { id, datasetId, source, runId }: Load): Promise<bigint> {
  if (runId === null) return 0n;
  const last = await tx.generation.findFirst({ where: { datasetId, source, runId }, orderBy: { number: 'desc' } });
  if (last?.loadId == null) return 0n;
  await tx.rejectedRow.deleteMany({ where: { datasetId, load: { source, runId, id: { not: id } } } });
  const { _sum } = await tx.loadPart.aggregate({ where: { loadId: last.loadId }, _sum: { rejected: true } });
  return _sum.rejected ?? 0n;
}

function publishChange(
  tx: Transaction,
  { id, runId, workflowId, partial }: Load,
  { vaultId, spaceId, solutionId, id: dataset, name }: MergeTable,
  generation: bigint,
  counts: MergeResult,
): void {
  tx.emit(tableChanged, {
    ...{ vault: vaultId, space: spaceId, solution: solutionId, dataset, name, load: String(id), partial },
    ...(runId !== null && { run: String(runId) }),
    ...(workflowId !== null && { workflow: workflowId }),
    ...{ new: counts.created, changed: counts.changed, gone: counts.gone },
    ...{ generation: String(generation), at: new Date(Number(generation)).toISOString() },
  });
}
