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

type OrderedLoad = Pick<Load, 'id' | 'datasetId' | 'runId' | 'position'>;

/**
 * Trusted SQL of the place of a load `l` among all loads of runs: by run, within a run by the time when the output was bound,
 * and for the same output by revision.
 */
export const PLACE_SQL = (l: string): string => `(${l}.run_id, coalesce(${l}.position, ${l}.id), ${l}.id)`;

const placeOf = ({ runId, position, id }: OrderedLoad): Prisma.Sql => Prisma.sql`(${runId}, ${position ?? id}, ${id})`;
const PLACE = Prisma.raw(PLACE_SQL('l'));

/** List of the unfinished statuses, for `status IN`. */
export const UNFINISHED_SQL = Prisma.raw(`(${UNFINISHED_LOAD_STATUSES.map((status) => `'${status}'`).join(', ')})`);

/**
 * Whether a load that precedes this one in the same table is unfinished (`PLACE_SQL`). A merge has to wait for earlier loads, because the last of several rows with the
 * same key counts. Uploads neither wait nor block other loads.
 */
export async function hasEarlierLoad(tx: Transaction, load: OrderedLoad): Promise<boolean> {
  if (load.runId === null) return false;
  const earlier = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load l WHERE dataset_id = ${load.datasetId}::uuid AND ${PLACE} < ${placeOf(load)}
      AND status IN ${UNFINISHED_SQL} LIMIT 1`;
  return earlier.length > 0;
}

/**
 * Enqueues the merge of the load that follows a finished one. The next load may not have reached MERGING yet: it may reach
 * it before this transaction commits, and then find that it has to wait.
 */
export async function enqueueNextMerge(tx: Transaction, load: OrderedLoad): Promise<void> {
  if (load.runId === null) return;
  const [next] = await tx.$queryRaw<{ id: bigint; vault: string }[]>`
    SELECT id, vault_id::text AS vault FROM datasets.load l
    WHERE dataset_id = ${load.datasetId}::uuid AND ${PLACE} > ${placeOf(load)}
      AND status IN ${UNFINISHED_SQL} ORDER BY ${PLACE} LIMIT 1`;
  // Without an id, because the job that found that it has to wait may still be running.
  if (next) tx.enqueue(mergeLoad, { load: String(next.id), vault: next.vault });
}
