import type { Database, Transaction } from '@millrace/persistence/database';

/** A dispatch that no worker has claimed for this long is looked up in the queue. */
const UNCLAIMED_TIMEOUT_MS = 10_000;

/**
 * Finds dispatches that no worker has claimed and that the queue does not know: Redis was emptied, or lost its last second.
 * A dispatch that the outbox has not relayed yet is not missing.
 * @param findKnown returns those of the job ids that the queue knows
 */
export async function findMissingDispatches(
  database: Database,
  findKnown: (jobs: string[]) => Promise<Set<string>>,
): Promise<bigint[]> {
  const unclaimed = await database.client.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM runs.dispatch d WHERE worker IS NULL AND created_at < now() - ${UNCLAIMED_TIMEOUT_MS}::int * interval '1 ms'
      AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'runs' AND o.relayed_at IS NULL
        AND o.options->>'id' = 'dispatch-' || d.id)
    LIMIT 1000`;
  if (unclaimed.length === 0) return [];
  const queued = await findKnown(unclaimed.map(({ id }) => `dispatch-${id}`));
  return unclaimed.map(({ id }) => id).filter((id) => !queued.has(`dispatch-${id}`));
}

/** Deletes these dispatches and makes their tasks ready again, unless a worker has claimed them in the meantime. */
export async function requeueDispatches(tx: Transaction, dispatches: bigint[]): Promise<void> {
  await tx.$executeRaw`
    WITH deleted AS (DELETE FROM runs.dispatch WHERE id = ANY(${dispatches.map(String)}::bigint[]) AND worker IS NULL RETURNING id)
    UPDATE runs.task SET state = 'READY', dispatch = NULL WHERE dispatch IN (SELECT id FROM deleted)`;
}
