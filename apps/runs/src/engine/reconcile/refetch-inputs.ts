import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { Database, Transaction } from '@millrace/persistence/database';
import { fetchIdOf, inputsToFetch, orderFetch } from '../../inputs/input-fetch.js';
import { failRun } from '../stop/fail-run.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** A run that waits for its inputs for this long is looked for in the queue. */
const TIMEOUT_MS = 10_000;
/** Orders after the first; each is handed to two workers, should one vanish. */
const MAX_REFETCHES = 3;

/**
 * Runs that wait for inputs which nobody fetches: Redis was emptied, or every worker that tried vanished in the middle.
 * Those that the outbox has yet to relay are not missing.
 */
export async function findUnfetched(
  database: Database,
  known: (jobs: string[]) => Promise<Set<string>>,
): Promise<bigint[]> {
  const waiting = await database.client.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM runs.run r WHERE fetching AND finished_at IS NULL
      AND created_at < now() - ${TIMEOUT_MS}::int * interval '1 ms'
      AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'runs' AND o.relayed_at IS NULL
        AND o.options->>'id' = 'fetch-' || r.id)
    ORDER BY created_at LIMIT 1000`;
  if (waiting.length === 0) return [];
  const queued = await known(waiting.map(({ id }) => fetchIdOf(id)));
  return waiting.map(({ id }) => id).filter((id) => !queued.has(fetchIdOf(id)));
}

/** Orders the inputs of a run again, unless they came meanwhile; a run that no worker gets through with fails. */
export async function refetch(tx: Transaction, run: LockedRun): Promise<void> {
  if (!run.row.fetching || run.isEnding) return;
  if (run.row.refetches >= MAX_REFETCHES)
    return failRun(tx, run, 'its inputs could not be fetched: none of the workers that tried came to an end with it');
  await tx.$executeRaw`UPDATE runs.run SET refetches = refetches + 1 WHERE id = ${run.id}`;
  orderFetch(tx, run.row, inputsToFetch(run.plan, run.row.inputs as Record<string, InputValue>));
}
