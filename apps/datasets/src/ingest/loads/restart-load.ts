import { collectLoad, readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { collectJobId, readJobId } from './load-jobs.js';
import { LOAD_TRANSITIONS } from './load-transitions.js';

/**
 * Starts a new attempt of a load that failed or whose rows are not in the table. For a run, the outputs are collected
 * again; an upload is still stored and is read again.
 */
export async function restartLoad(tx: Transaction, load: Load): Promise<Load> {
  await tx.rejectedRow.deleteMany({ where: { loadId: load.id } });
  return load.runId === null ? restartUpload(tx, load) : restartRun(tx, load);
}

async function restartRun(tx: Transaction, load: Load): Promise<Load> {
  await tx.loadPart.deleteMany({ where: { loadId: load.id } });
  const restarted = await tx.load.update({
    where: { id: load.id },
    data: { ...newAttempt(load), status: LOAD_TRANSITIONS.retryRun.to, startedAt: null },
  });
  tx.enqueue(collectLoad, { load: String(load.id) }, { id: collectJobId(restarted) });
  return restarted;
}

async function restartUpload(tx: Transaction, load: Load): Promise<Load> {
  const parts = await tx.loadPart.updateManyAndReturn({
    where: { loadId: load.id },
    data: { status: 'PENDING', round: { increment: 1 }, bytesRead: 0, rowsRead: 0, rejected: 0 },
  });
  for (const { batch, round } of parts.filter(({ id, batch }) => id === batch)) {
    tx.enqueue(readPart, { part: String(batch), vault: load.vaultId }, { id: readJobId(batch, round) });
  }
  return tx.load.update({
    where: { id: load.id },
    data: { ...newAttempt(load), status: LOAD_TRANSITIONS.retryUpload.to, startedAt: new Date() },
  });
}

const newAttempt = ({ attempt }: Load) => ({
  ...{ attempt: attempt + 1, failures: 0, error: null, finishedAt: null },
  ...{ generation: null, created: 0, changed: 0, unchanged: 0, gone: 0 },
});
