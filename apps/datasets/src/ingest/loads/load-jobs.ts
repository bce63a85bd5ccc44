import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { UNFINISHED_LOAD_STATUSES } from './load-transitions.js';

interface LoadAttempt {
  id: bigint;
  attempt: number;
}

/**
 * Ids of a load's jobs. They are derived from the records alone, so a job that is enqueued twice runs once, and a missing
 * job can be found.
 */
export const collectJobId = (load: LoadAttempt): string => `collect-${load.id}-${load.attempt}`;

export const readJobId = (batch: bigint, round: number): string => `read-${batch}-${round}`;

/** @param rounds sum of the rounds of all batches of the load */
export const mergeJobId = (load: LoadAttempt, rounds: number): string => `merge-${load.id}-${load.attempt}-${rounds}`;

type OrderedLoad = Pick<Load, 'id' | 'datasetId' | 'runId'>;

/** List of the unfinished statuses, for `status IN`. */
export const UNFINISHED_SQL = Prisma.raw(`(${UNFINISHED_LOAD_STATUSES.map((status) => `'${status}'`).join(', ')})`);

/**
 * Whether a load that precedes this one in the same table is unfinished. Loads are ordered by run and, within a run, by the
 * time when their outputs were bound. A merge has to wait for earlier loads, because the last of several rows with the
 * same key counts. Uploads neither wait nor block other loads.
 */
export async function hasEarlierLoad(tx: Transaction, { id, datasetId, runId }: OrderedLoad): Promise<boolean> {
  if (runId === null) return false;
  const earlier = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load WHERE dataset_id = ${datasetId}::uuid AND (run_id, id) < (${runId}, ${id})
      AND status IN ${UNFINISHED_SQL} LIMIT 1`;
  return earlier.length > 0;
}

/**
 * Enqueues the merge of the load that follows a finished one. The next load may not have reached MERGING yet: it may reach
 * it before this transaction commits, and then find that it has to wait.
 */
export async function enqueueNextMerge(tx: Transaction, { id, datasetId, runId }: OrderedLoad): Promise<void> {
  if (runId === null) return;
  const [next] = await tx.$queryRaw<{ id: bigint; vault: string }[]>`
    SELECT id, vault_id::text AS vault FROM datasets.load WHERE dataset_id = ${datasetId}::uuid AND (run_id, id) > (${runId}, ${id})
      AND status IN ${UNFINISHED_SQL} ORDER BY run_id, id LIMIT 1`;
  // Without an id, because the job that found that it has to wait may still be running.
  if (next) tx.enqueue(mergeLoad, { load: String(next.id), vault: next.vault });
}
