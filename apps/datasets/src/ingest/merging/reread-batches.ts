import { readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { named, readJobId } from '../loads/load-job-ids.js';
import { fitsPlan, planColumns } from './columns/plan-columns.js';
import { isStaged, type MergeState, type StagedBatch } from './merge-state.js';

/**
 * Has batches read again that do not fit what the table has become since, or whose rows Postgres has lost.
 * @returns whether there were any, so that nothing can be merged yet
 */
export async function rereadMismatchedBatches(tx: Transaction, state: MergeState): Promise<boolean> {
  const { load, table, batches } = state;
  const columns = planColumns(state);
  const again: StagedBatch[] = [];
  for (const batch of batches) {
    if (!fitsPlan(batch.shape, table, columns) || !(await isStaged(tx, batch))) again.push(batch);
  }
  if (again.length > 0) await rereadBatches(tx, load, again);
  return again.length > 0;
}

async function rereadBatches(tx: Transaction, load: Load, batches: readonly StagedBatch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch);
  await tx.loadPart.updateMany({
    where: { batch: { in: ids } },
    data: { status: 'PENDING', round: { increment: 1 }, bytesRead: 0, rowsRead: 0, rejected: 0 },
  });
  await tx.load.update({ where: { id: load.id }, data: { status: 'READING' } });
  for (const { batch, round } of batches) {
    tx.enqueue(readPart, { part: String(batch), vault: load.vaultId }, named(readJobId(batch, round + 1)));
  }
}
