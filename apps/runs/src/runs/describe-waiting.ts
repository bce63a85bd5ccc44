import type { Result } from '@millrace/contracts/kit/operation';
import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import type { getRun } from '@millrace/contracts/runs/runs';
import type { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import type { KnownFleet } from '../workers/fleet-routes.js';
import { describeReady, type ReadyTasks } from './describe-ready.js';

type WaitingFor = NonNullable<Result<typeof getRun>['waiting_for']>[number];

/** Tasks that are counted for one reason: counting a million takes too long for a request. */
const MAX_COUNTED = 1_000;
/** Subjobs that wait for an approval and are named. */
const MAX_NAMED = 20;

interface Waiting {
  ready: ReadyTasks[] | null;
  retrying: number;
  retryAt: Date | null;
  checking: number;
  approvals: { subjobs: string[]; count: number; since: Date | null; expiresAt: Date | null } | null;
  silent: { worker: string; count: number; lastSeen: Date | null }[] | null;
}

/** Finds what an unfinished run waits for. Each part of the query uses an index, and counts no more than it shows. */
export async function describeWaiting(
  { client }: Database,
  run: Omit<Run, 'inputs' | 'shownInputs'>,
  fleets: readonly KnownFleet[],
): Promise<WaitingFor[]> {
  const [found] = await client.$queryRaw<Waiting[]>`
    SELECT
      (SELECT jsonb_agg(r) FROM (
        SELECT q.key, count(*)::int AS count FROM (SELECT segment FROM runs.task WHERE run_id = ${run.id} AND state = 'READY'
          AND (not_before IS NULL OR not_before <= now()) LIMIT ${MAX_COUNTED}::int) t
        LEFT JOIN runs.requirement q ON q.run_id = ${run.id} AND q.segment = t.segment
        GROUP BY q.key ORDER BY q.key) r) AS ready,
      (SELECT count(*)::int FROM (SELECT 1 FROM runs.task WHERE run_id = ${run.id} AND state = 'READY'
        AND not_before > now() LIMIT ${MAX_COUNTED}::int) t) AS retrying,
      (SELECT min(not_before) FROM runs.task WHERE run_id = ${run.id} AND state = 'READY' AND not_before > now()) AS "retryAt",
      (SELECT count(*)::int FROM (SELECT 1 FROM runs.task WHERE run_id = ${run.id} AND state = 'CHECKING'
        LIMIT ${MAX_COUNTED}::int) t) AS checking,
      (SELECT jsonb_build_object('subjobs', (array_agg(a.subjob_id::text ORDER BY a.subjob_id))[1:${MAX_NAMED}::int],
          'count', count(*), 'since', min(a.requested_at), 'expiresAt', min(a.expires_at))
        FROM (SELECT a.* FROM runs.approval a JOIN runs.task t
          ON t.run_id = a.run_id AND t.segment = a.segment AND t.index = a.index AND t.state = 'UNDECIDED'
          WHERE a.run_id = ${run.id} AND a.decision IS NULL LIMIT ${MAX_COUNTED}::int) a
        HAVING count(*) > 0) AS approvals,
      (SELECT jsonb_agg(s) FROM (
        SELECT d.worker, count(*)::int AS count, max(w.last_seen) AS "lastSeen"
        FROM runs.dispatch d LEFT JOIN runs.worker w ON w.id = d.worker
        WHERE d.run_id = ${run.id} AND d.worker IS NOT NULL
          AND (w.id IS NULL OR w.last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms')
        GROUP BY d.worker ORDER BY d.worker) s) AS silent`;
  return found ? toReasons(run, found, fleets) : [];
}

function toReasons(
  run: Omit<Run, 'inputs' | 'shownInputs'>,
  found: Waiting,
  fleets: readonly KnownFleet[],
): WaitingFor[] {
  const { approvals, retryAt } = found;
  const ready = run.pausedAt === null ? (found.ready ?? []) : [];
  return [
    ...(run.status === 'STOPPING' ? [{ reason: 'stop' as const, count: run.stopping }] : []),
    ...(run.pausedAt ? [{ reason: 'paused' as const, since: run.pausedAt.toISOString() }] : []),
    ...(run.fetching ? [{ reason: 'fetch' as const }] : []),
    ...describeReady(ready, fleets),
    ...(found.retrying > 0
      ? [{ reason: 'retry' as const, count: found.retrying, ...(retryAt && { until: retryAt.toISOString() }) }]
      : []),
    ...(approvals ? [toApprovalReason(approvals)] : []),
    ...(found.checking > 0 ? [{ reason: 'condition' as const, count: found.checking }] : []),
    ...(found.silent ?? []).map(({ worker, count, lastSeen }) => ({
      ...{ reason: 'worker_lost' as const, count, worker },
      ...(lastSeen && { since: new Date(lastSeen).toISOString() }),
    })),
  ];
}

const toApprovalReason = ({ subjobs, count, since, expiresAt }: NonNullable<Waiting['approvals']>): WaitingFor => ({
  ...{ reason: 'approval', count, subjobs },
  ...(since && { since: new Date(since).toISOString() }),
  ...(expiresAt && { until: new Date(expiresAt).toISOString() }),
});
