import type { Database, Transaction } from '@millrace/persistence/database';

/** A job that nobody has begun for this long is looked for in the queue. */
const TIMEOUT_MS = 10_000;

/**
 * Dispatches that no worker has told of and that the queue does not know: Redis was emptied, or lost its last second.
 * Those that the outbox has yet to relay are not missing.
 */
export async function findUnqueued(
  database: Database,
  known: (jobs: string[]) => Promise<Set<string>>,
): Promise<bigint[]> {
  const waiting = await database.client.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM runs.dispatch d WHERE worker IS NULL AND created_at < now() - ${TIMEOUT_MS}::int * interval '1 ms'
      AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'runs' AND o.relayed_at IS NULL
        AND o.options->>'id' = 'dispatch-' || d.id)
    LIMIT 1000`;
  if (waiting.length === 0) return [];
  const queued = await known(waiting.map(({ id }) => `dispatch-${id}`));
  return waiting.map(({ id }) => id).filter((id) => !queued.has(`dispatch-${id}`));
}

/** Makes the tasks of these dispatches ready again, unless a worker has told of them meanwhile. */
export async function putBack(tx: Transaction, dispatches: bigint[]): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM runs.dispatch WHERE id = ANY(${dispatches.map(String)}::bigint[]) AND worker IS NULL RETURNING id)
    UPDATE runs.task SET state = 'READY', dispatch = NULL WHERE dispatch IN (SELECT id FROM gone)`;
}
