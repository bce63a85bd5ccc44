import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { stagingName } from '../../live/names.js';
import type { StagedBatch } from './read-state.js';

/** Rejected rows of a load that are kept to be looked at; the others are counted. */
const MOST_KEPT = 10_000;

/** Keeps the first rows of a load that could not be read, and counts all of them. */
export async function keepRejected(tx: Transaction, load: Load, batches: readonly StagedBatch[]): Promise<void> {
  const total = batches.reduce((sum, { rejected }) => sum + rejected, 0n);
  if (total === 0n) return;
  const rows = batches
    .filter(({ rejected }) => rejected > 0n)
    .map(({ batch }) => `SELECT _p, _n, _r, _t FROM ${stagingName(batch)} WHERE _r IS NOT NULL`)
    .join(' UNION ALL ');
  await tx.$executeRaw`
    INSERT INTO datasets.rejected_row (dataset_id, load_id, part_id, line, reason, text)
    SELECT ${load.datasetId}::uuid, ${load.id}, _p, _n, _r, _t
    FROM (${Prisma.raw(rows)} ORDER BY 1, 2 LIMIT ${MOST_KEPT}) s`;
  await tx.dataset.update({ where: { id: load.datasetId }, data: { rejected: { increment: total } } });
}
