import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import type { Load, Prisma } from '@millrace/persistence/generated/client';
import { LoadTooLargeError, type LoadLimits } from '../content/load-limits.js';
import { PermanentLoadError, lockLoad } from '../loads/load-guard.js';
import { mergeJobId } from '../loads/load-jobs.js';
import { LOAD_TRANSITIONS } from '../loads/load-transitions.js';
import type { BatchResult } from './read-batch.js';

/**
 * Records that a batch was read, and enqueues the merge if it was the last batch of its load.
 * @throws PermanentLoadError if the batches of the load have too many rows together
 */
export async function completeBatch(
  tx: Transaction,
  load: Pick<Load, 'id' | 'attempt' | 'vaultId'>,
  { batch, round }: { batch: bigint; round: number },
  { shape, parts }: BatchResult,
  limits: Pick<LoadLimits, 'rows'>,
): Promise<void> {
  if (!(await lockLoad(tx, load, 'READING'))) return;
  const updated = await tx.$executeRaw`
    UPDATE datasets.load_part p SET status = 'READ', bytes_read = r.bytes, rows_read = r.rows, rejected = r.rejected
    FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS r(part bigint, bytes bigint, rows bigint, rejected bigint)
    WHERE p.id = r.part AND p.batch = ${batch} AND p.round = ${round} AND p.status = 'PENDING'`;
  if (updated === 0) return;
  await checkLoadRows(tx, load, limits);
  await tx.loadPart.update({ where: { id: batch }, data: { shape: shape as unknown as Prisma.InputJsonValue } });
  await enqueueMergeIfComplete(tx, load);
}

async function checkLoadRows(tx: Transaction, load: Pick<Load, 'id'>, limits: Pick<LoadLimits, 'rows'>): Promise<void> {
  const { _sum } = await tx.loadPart.aggregate({
    where: { loadId: load.id },
    _sum: { rowsRead: true, rejected: true },
  });
  const rows = Number(_sum.rowsRead ?? 0) + Number(_sum.rejected ?? 0);
  if (rows > limits.rows) throw new PermanentLoadError(LoadTooLargeError.forRows(limits).message);
}

/** @param load locked by this transaction */
async function enqueueMergeIfComplete(tx: Transaction, load: Pick<Load, 'id' | 'attempt' | 'vaultId'>): Promise<void> {
  const [parts] = await tx.$queryRaw<{ pending: bigint; rounds: bigint }[]>`
    SELECT count(*) FILTER (WHERE status = 'PENDING') AS pending, sum(round) FILTER (WHERE id = batch) AS rounds
    FROM datasets.load_part WHERE load_id = ${load.id}`;
  if (parts?.pending !== 0n) return;
  await tx.load.update({ where: { id: load.id }, data: { status: LOAD_TRANSITIONS.startMerging.to } });
  const id = mergeJobId(load, Number(parts.rounds));
  tx.enqueue(mergeLoad, { load: String(load.id), vault: load.vaultId }, { id });
}
