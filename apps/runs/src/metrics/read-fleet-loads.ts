import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import type { Database } from '@millrace/persistence/database';

/** Counting stops here, because an autoscaler needs no larger number and a run can have a million tasks. */
const MAX_COUNTED = 10_000;

/** What the workers of one fleet can do, do now, and have still to do. */
export interface FleetLoad {
  fleet: string;
  /** Number of workers by state. */
  workers: Record<string, number>;
  slots: number;
  busySlots: number;
  /** Subjobs that are ready or queued, and that no worker has. */
  waiting: number;
  /** Age of the oldest of them, as far as it is recorded: in the queue, or before the first dispatch of its run. */
  oldestSeconds: number;
}

/** There are no fleets yet: all workers belong to this one. */
const DEFAULT_FLEET = 'default';

/** Reads the load of all fleets in one query. */
export async function readFleetLoads({ client }: Database): Promise<FleetLoad[]> {
  const rows = await client.$queryRaw<(Omit<FleetLoad, 'fleet' | 'workers'> & { active: number })[]>`
    WITH ready AS MATERIALIZED (
      SELECT CASE WHEN r.last_dispatch = 0 THEN r.created_at END AS since, t.count
      FROM runs.run r CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT 1 FROM runs.task WHERE run_id = r.id AND state = 'READY' AND (not_before IS NULL OR not_before <= now())
        LIMIT ${MAX_COUNTED}) counted) t
      WHERE r.finished_at IS NULL AND r.status <> 'STOPPING' AND r.paused_at IS NULL AND t.count > 0),
    queued AS MATERIALIZED (SELECT id, created_at FROM runs.dispatch WHERE worker IS NULL AND NOT cancelled),
    waiting AS (SELECT since, count FROM ready UNION ALL
      SELECT q.created_at, (SELECT count(*) FROM runs.task t WHERE t.dispatch = q.id) FROM queued q)
    SELECT least(coalesce(sum(count), 0), ${MAX_COUNTED})::int AS waiting,
      coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS "oldestSeconds",
      (SELECT count(*)::int FROM runs.dispatch WHERE worker IS NOT NULL) AS "busySlots",
      w.slots, w.active
    FROM (SELECT coalesce(sum(slots), 0)::int AS slots, count(*)::int AS active FROM runs.worker
        WHERE last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms') w
      LEFT JOIN waiting ON true
    GROUP BY w.slots, w.active`;
  return rows.map(({ active, ...load }) => ({ fleet: DEFAULT_FLEET, workers: { active }, ...load }));
}
