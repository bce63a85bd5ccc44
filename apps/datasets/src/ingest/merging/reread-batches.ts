import { readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { readJobId } from '../loads/load-job-ids.js';
import { LOAD_TRANSITIONS } from '../loads/load-transitions.js';
import { fitsPlan, planColumns } from './columns/plan-columns.js';
import { isStaged, type MergeState, type StagedBatch } from './merge-state.js';

/**
 * Requests another read of all batches that do not fit the table any longer or whose rows Postgres has lost.
 * @returns whether there are such batches, so that nothing can be merged yet
 */
export async function rereadMismatchedBatches(tx: Transaction, state: MergeState): Promise<boolean> {
  const { load, table, batches } = state;
  const columns = planColumns(state);
  const mismatched: StagedBatch[] = [];
  for (const batch of batches) {
    if (!fitsPlan(batch.shape, table, columns) || !(await isStaged(tx, batch))) mismatched.push(batch);
  }
  if (mismatched.length > 0) await rereadBatches(tx, load, mismatched);
  return mismatched.length > 0;
}

async function rereadBatches(tx: Transaction, load: Load, batches: readonly StagedBatch[]): Promise<void> {
  const ids = batches.map(({ batch }) => batch);
  await tx.loadPart.updateMany({
    where: { batch: { in: ids } },
    data: { status: 'PENDING', round: { increment: 1 }, bytesRead: 0, rowsRead: 0, rejected: 0 },
  });
  await tx.load.update({ where: { id: load.id }, data: { status: LOAD_TRANSITIONS.readAgain.to } });
  for (const { batch, round } of batches) {
    tx.enqueue(readPart, { part: String(batch), vault: load.vaultId }, { id: readJobId(batch, round + 1) });
  }
}
