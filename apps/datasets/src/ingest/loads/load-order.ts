import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { checkUuid } from '../../live/names.js';

type OrderedLoad = Pick<Load, 'id' | 'datasetId' | 'runId'>;

/**
 * Whether a load of an earlier run into the same table is still under way, or of the same run, of an output that was bound
 * earlier. Its merge then waits: of rows with one key the last is to count. Uploads wait for none, and none for them.
 */
export async function hasEarlierLoad(tx: Transaction, { id, datasetId, runId }: OrderedLoad): Promise<boolean> {
  if (runId === null) return false;
  const earlier = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load WHERE dataset_id = ${datasetId}::uuid AND (run_id, id) < (${runId}, ${id})
      AND status IN ('PENDING', 'READING', 'MERGING') LIMIT 1`;
  return earlier.length > 0;
}

/**
 * Orders the merge of the load that is next after one that is over. Also where that is not at its merge yet, as far as is
 * seen from here: it may come to it before this is committed, and find that it has to wait.
 */
export async function enqueueNextMerge(tx: Transaction, { id, datasetId, runId }: OrderedLoad): Promise<void> {
  if (runId === null) return;
  const [next] = await tx.$queryRaw<{ id: bigint; vault: string }[]>`
    SELECT id, vault_id::text AS vault FROM datasets.load WHERE dataset_id = ${datasetId}::uuid AND (run_id, id) > (${runId}, ${id})
      AND status IN ('PENDING', 'READING', 'MERGING') ORDER BY run_id, id LIMIT 1`;
  // Under no name: the job that found that it has to wait may not have ended yet.
  if (next) tx.enqueue(mergeLoad, { load: String(next.id), vault: next.vault });
}

/** Whether a later run of the same output is in the table already, so that what this one gave is the older word. */
export async function isOvertaken(
  tx: Transaction,
  { datasetId, source, runId }: Pick<Load, 'datasetId' | 'source' | 'runId'>,
): Promise<boolean> {
  if (runId === null) return false;
  const later = await tx.generation.findFirst({
    where: { datasetId, source, runId: { gt: runId } },
    select: { number: true },
  });
  return later !== null;
}

/**
 * Generations of later runs, and of outputs of the same run that were bound later, in the table already: what they saw
 * last is not for this load to change. None mostly, and none for an upload.
 * @returns trusted SQL that gives their numbers; null where there are none
 */
export async function laterGenerations(
  tx: Transaction,
  { id, datasetId, runId }: Pick<Load, 'id' | 'datasetId' | 'runId'>,
): Promise<string | null> {
  if (runId === null) return null;
  const of = `FROM datasets.generation WHERE dataset_id = '${checkUuid(datasetId)}' AND (run_id > ${runId} OR (run_id = ${runId} AND load_id > ${id}))`;
  const later = await tx.$queryRaw<unknown[]>(Prisma.raw(`SELECT 1 ${of} LIMIT 1`));
  return later.length > 0 ? `SELECT number ${of}` : null;
}
