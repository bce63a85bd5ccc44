import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { readRequirement } from '@millrace/graph/plan/placement';
import type { Database, Transaction } from '@millrace/persistence/database';
import { enqueueFetch, fetchId, findInputsToFetch } from '../../inputs/input-fetch.js';
import { findFleets, type KnownFleet } from '../../workers/fleet-routes.js';
import { failRun } from '../stop/stop-run.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** A dispatch that no worker has claimed for this long is looked up in the queue. */
const UNCLAIMED_TIMEOUT_MS = 10_000;

export interface UnclaimedDispatch {
  id: bigint;
  /** The fleet in whose queue it is. */
  fleet: string;
  /** What its segment requires; null if any worker will do. */
  key: string | null;
}

export const jobOf = ({ id }: UnclaimedDispatch): string => `dispatch-${id}`;

/** Finds dispatches that no worker has claimed for a while. One that the outbox has not relayed yet does not count. */
export async function findUnclaimedDispatches({ client }: Database): Promise<UnclaimedDispatch[]> {
  return client.$queryRaw<UnclaimedDispatch[]>`
    SELECT d.id, d.fleet, q.key FROM runs.dispatch d
    LEFT JOIN runs.requirement q ON q.run_id = d.run_id AND q.segment = d.segment
    WHERE worker IS NULL AND created_at < now() - ${UNCLAIMED_TIMEOUT_MS}::int * interval '1 ms'
      AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'runs' AND o.relayed_at IS NULL
        AND o.options->>'id' = 'dispatch-' || d.id)
    LIMIT 1000`;
}

/**
 * Finds those that are not in the queue of their fleet: Redis was emptied, or lost its last second.
 * @param findQueued returns the ids of the jobs that are in the queue of a fleet
 */
export async function findMissingDispatches(
  unclaimed: readonly UnclaimedDispatch[],
  findQueued: (jobs: string[], fleet: string) => Promise<Set<string>>,
): Promise<bigint[]> {
  const missing: bigint[] = [];
  for (const [fleet, dispatches] of Map.groupBy(unclaimed, (dispatch) => dispatch.fleet)) {
    const queued = await findQueued(dispatches.map(jobOf), fleet);
    missing.push(...dispatches.filter((dispatch) => !queued.has(jobOf(dispatch))).map(({ id }) => id));
  }
  return missing;
}

/**
 * Takes dispatches out of the queue of a fleet that has no worker for them: none is left, all are cordoned, or the fleet no
 * longer has what they require. Their tasks go to another fleet, or wait in Postgres for a worker.
 * @param remove removes jobs that no worker has begun from the queue of a fleet, and returns the ids of those
 */
export async function withdrawDispatches(
  unclaimed: readonly UnclaimedDispatch[],
  fleets: readonly KnownFleet[],
  remove: (jobs: string[], fleet: string) => Promise<Set<string>>,
): Promise<bigint[]> {
  const open = fleets.filter(({ slots }) => slots > 0);
  const isServed = ({ fleet, key }: UnclaimedDispatch) =>
    findFleets(open, readRequirement(key)).some(({ name }) => name === fleet);
  const withdrawn: bigint[] = [];
  for (const [fleet, dispatches] of Map.groupBy(
    unclaimed.filter((dispatch) => !isServed(dispatch)),
    (dispatch) => dispatch.fleet,
  )) {
    const removed = await remove(dispatches.map(jobOf), fleet);
    withdrawn.push(...dispatches.filter((dispatch) => removed.has(jobOf(dispatch))).map(({ id }) => id));
  }
  return withdrawn;
}

/** Deletes these dispatches and makes their tasks ready again, unless a worker has claimed them in the meantime. */
export async function requeueDispatches(tx: Transaction, dispatches: bigint[]): Promise<void> {
  await tx.$executeRaw`
    WITH deleted AS (DELETE FROM runs.dispatch WHERE id = ANY(${dispatches.map(String)}::bigint[]) AND worker IS NULL RETURNING id)
    UPDATE runs.task SET state = 'READY', dispatch = NULL WHERE dispatch IN (SELECT id FROM deleted)`;
}

/** A run that waits this long for its inputs is looked up in the queue. */
const FETCH_TIMEOUT_MS = 10_000;
/** Fetches after the first one. The queue gives each to a second worker if the first one is lost. */
const MAX_REFETCHES = 3;

/**
 * Finds runs that wait for inputs although no fetch of them exists: Redis was emptied, or every worker that tried was lost.
 * A fetch that the outbox has not relayed yet is not missing.
 * @param findQueued returns the ids of the jobs that are in the queue
 */
export async function findMissingFetches(
  database: Database,
  findQueued: (jobs: string[]) => Promise<Set<string>>,
): Promise<bigint[]> {
  const waiting = await database.client.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM runs.run r WHERE fetching AND finished_at IS NULL
      AND created_at < now() - ${FETCH_TIMEOUT_MS}::int * interval '1 ms'
      AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'runs' AND o.relayed_at IS NULL
        AND o.options->>'id' = 'fetch-' || r.id)
    ORDER BY created_at LIMIT 1000`;
  if (waiting.length === 0) return [];
  const queued = await findQueued(waiting.map(({ id }) => fetchId(id)));
  return waiting.map(({ id }) => id).filter((id) => !queued.has(fetchId(id)));
}

/** Enqueues the fetch of a run's inputs again, unless they have arrived in the meantime. After the last try the run fails. */
export async function refetchInputs(tx: Transaction, run: LockedRun): Promise<void> {
  if (!run.row.fetching || run.isEnding) return;
  if (run.row.refetches >= MAX_REFETCHES) {
    return failRun(tx, run, 'its inputs could not be fetched: every worker that tried was lost before it finished');
  }
  await tx.$executeRaw`UPDATE runs.run SET refetches = refetches + 1 WHERE id = ${run.id}`;
  enqueueFetch(tx, run.row, findInputsToFetch(run.plan, run.row.inputs as Record<string, InputValue>));
}
