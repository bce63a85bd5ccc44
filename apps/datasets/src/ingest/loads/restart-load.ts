import { collectLoad, readPart } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { collectJobId, named, readJobId } from './load-job-ids.js';

/** Begins a load anew that failed, or of which nothing is in the table: the outputs of a run are asked for again, an upload is there still. */
export async function restartLoad(tx: Transaction, { id, attempt, runId, vaultId }: Load): Promise<Load> {
  await tx.rejectedRow.deleteMany({ where: { loadId: id } });
  const nothing = { generation: null, created: 0, changed: 0, unchanged: 0, gone: 0 };
  const again = { attempt: attempt + 1, failures: 0, error: null, finishedAt: null, ...nothing };
  if (runId !== null) {
    await tx.loadPart.deleteMany({ where: { loadId: id } });
    const load = await tx.load.update({ where: { id }, data: { ...again, status: 'PENDING', startedAt: null } });
    tx.enqueue(collectLoad, { load: String(id) }, named(collectJobId(load)));
    return load;
  }
  const parts = await tx.loadPart.updateManyAndReturn({
    where: { loadId: id },
    data: { status: 'PENDING', round: { increment: 1 }, bytesRead: 0, rowsRead: 0, rejected: 0 },
  });
  for (const part of parts.filter(({ id: own, batch }) => own === batch)) {
    tx.enqueue(readPart, { part: String(part.batch), vault: vaultId }, named(readJobId(part.batch, part.round)));
  }
  return tx.load.update({ where: { id }, data: { ...again, status: 'READING', startedAt: new Date() } });
}
