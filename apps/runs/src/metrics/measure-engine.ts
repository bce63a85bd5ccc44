import type { Database } from '@millrace/persistence/database';
import { addMetricSource, createGauge, type Sample } from '@millrace/telemetry/metrics/registry';
import type { FleetBacklog } from '../workers/fleet-backlog.js';
import type { WorkerRegistry } from '../workers/worker-registry.js';
import { readFleetLoads, type FleetLoad } from './read-fleet-loads.js';

const activeRuns = createGauge('millrace_runs_active', 'Runs that have not ended, by status', ['status']);
const stalledRuns = createGauge(
  'millrace_runs_stalled',
  'Runs that nothing drives and that the engine cannot repair',
  [],
);
const waiting = createGauge('millrace_fleet_waiting_subjobs', 'Subjobs that wait for a worker, at most 10,000', [
  'fleet',
]);
const oldest = createGauge('millrace_fleet_oldest_waiting_seconds', 'Age of the oldest subjob that waits', ['fleet']);
const slots = createGauge('millrace_fleet_slots', 'Dispatches that the workers of a fleet can run at once', ['fleet']);
const busySlots = createGauge('millrace_fleet_busy_slots', 'Dispatches that workers of a fleet have', ['fleet']);
const workers = createGauge('millrace_fleet_workers', 'Workers of a fleet by state', ['fleet', 'state']);

/** Statuses of `millrace_runs_active`, so that a status without runs is 0 and not absent. */
const ACTIVE_STATUSES = ['PENDING', 'SUBMITTED', 'RUNNING', 'STOPPING'] as const;

/**
 * Measures runs and fleets at each scrape. Every copy of the service reports the same values, because they are those of the
 * database. @returns a function that ends it
 */
export function measureEngine(database: Database, registry: WorkerRegistry, backlog: FleetBacklog): () => void {
  return addMetricSource({
    name: 'engine',
    read: async () => {
      const [runs, loads] = await Promise.all([readRuns(database), readFleetLoads(database, registry, backlog)]);
      return [...runs, ...loads.flatMap(toSamples)];
    },
  });
}

async function readRuns({ client }: Database): Promise<Sample[]> {
  const rows = await client.$queryRaw<{ status: string; count: number; stalled: number }[]>`
    SELECT status, count(*)::int AS count, (count(*) FILTER (WHERE stalled_at IS NOT NULL))::int AS stalled
    FROM runs.run WHERE finished_at IS NULL GROUP BY status`;
  const stalled = rows.reduce((sum, row) => sum + row.stalled, 0);
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return [
    { gauge: stalledRuns, labels: {}, value: stalled },
    ...ACTIVE_STATUSES.map((status) => ({ gauge: activeRuns, labels: { status }, value: counts.get(status) ?? 0 })),
  ];
}

function toSamples(load: FleetLoad): Sample[] {
  const labels = { fleet: load.fleet };
  const states = Object.entries(load.workers);
  return [
    { gauge: waiting, labels, value: load.waiting },
    { gauge: oldest, labels, value: load.oldestSeconds },
    { gauge: slots, labels, value: load.slots },
    { gauge: busySlots, labels, value: load.busySlots },
    ...states.map(([state, value]) => ({ gauge: workers, labels: { ...labels, state }, value })),
  ];
}
