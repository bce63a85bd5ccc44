import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import type { Database } from '@millrace/persistence/database';
import type { Backlog, FleetBacklog } from '../workers/fleet-backlog.js';
import type { WorkerRegistry } from '../workers/worker-registry.js';

/** What the workers of one fleet can do, do now, and have still to do. */
export interface FleetLoad extends Backlog {
  fleet: string;
  /** Number of connected workers by state. `active` is always present, because an alert needs it. */
  workers: Record<string, number>;
  slots: number;
  busySlots: number;
}

interface Connected {
  fleet: string;
  state: string;
  workers: number;
  busy: number;
}

/** Reads the load of all known fleets, those without workers included. */
export async function readFleetLoads(
  database: Database,
  registry: WorkerRegistry,
  backlog: FleetBacklog,
): Promise<FleetLoad[]> {
  const [{ fleets }, backlogs, connected] = await Promise.all([
    registry.readFleets(),
    backlog.read(),
    readConnected(database),
  ]);
  const slots = new Map(fleets.map((fleet) => [fleet.name, fleet.slots]));
  const names = new Set([...slots.keys(), ...backlogs.keys(), ...connected.map(({ fleet }) => fleet)]);
  return [...names].map((fleet) => {
    const own = connected.filter((one) => one.fleet === fleet);
    return {
      fleet,
      workers: { active: 0, ...Object.fromEntries(own.map(({ state, workers }) => [state, workers])) },
      slots: slots.get(fleet) ?? 0,
      busySlots: own.reduce((sum, { busy }) => sum + busy, 0),
      ...(backlogs.get(fleet) ?? { waiting: 0, oldestSeconds: 0 }),
    };
  });
}

const readConnected = ({ client }: Database): Promise<Connected[]> => client.$queryRaw<Connected[]>`
  SELECT w.fleet, w.state, count(DISTINCT w.id)::int AS workers, count(d.id)::int AS busy
  FROM runs.worker w LEFT JOIN runs.dispatch d ON d.worker = w.id
  WHERE w.last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms' AND w.state <> 'stopped'
  GROUP BY w.fleet, w.state`;
