import type { Database } from '@millrace/persistence/database';
import type { HealthRoute } from '@millrace/service/health/health-server';
import { readFleetLoads } from './read-fleet-loads.js';

const PREFIX = '/scaling/fleets/';

/**
 * `GET /scaling/fleets/<fleet>` for an autoscaler: how many subjobs wait for the fleet's workers, and for how long. A fleet
 * that nothing waits for has none, also before its first worker, so that it can be scaled from zero.
 */
export const fleetScalingRoute = (database: Database): Record<string, HealthRoute> => ({
  [PREFIX]: async (path) => {
    const fleet = decodeURIComponent(path.slice(PREFIX.length));
    const load = (await readFleetLoads(database)).find((one) => one.fleet === fleet);
    return { status: 200, body: { waiting: load?.waiting ?? 0, oldestSeconds: load?.oldestSeconds ?? 0 } };
  },
});
