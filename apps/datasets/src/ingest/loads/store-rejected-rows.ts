import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { stagingName } from '../../live/names.js';

/** Rejected rows of a load that users can read; further rows are only counted. */
const MAX_STORED_ROWS = 10_000;

/** Stores the first rejected rows of a load, as far as they are staged. */
export async function storeRejectedRows(tx: Transaction, { id, datasetId }: Load): Promise<void> {
  const batches = await tx.$queryRaw<{ batch: bigint }[]>`
    SELECT batch FROM datasets.load_part WHERE load_id = ${id} AND status = 'READ'
    GROUP BY batch HAVING sum(rejected) > 0 AND to_regclass('live.s_' || batch) IS NOT NULL`;
  if (batches.length === 0) return;
  const rows = batches
    .map(({ batch }) => `SELECT _p, _n, _r, _t FROM ${stagingName(batch)} WHERE _r IS NOT NULL`)
    .join(' UNION ALL ');
  await tx.$executeRaw`
    INSERT INTO datasets.rejected_row (dataset_id, load_id, part_id, line, reason, text)
    SELECT ${datasetId}::uuid, ${id}, _p, _n, _r, _t
    FROM (${Prisma.raw(rows)} ORDER BY 1, 2 LIMIT ${MAX_STORED_ROWS}) s`;
}
