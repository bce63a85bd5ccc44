import type { HealthRoute } from '@millrace/service/health/health-server';
import type { FleetBacklog } from '../workers/fleet-backlog.js';

const PREFIX = '/scaling/fleets/';

/**
 * `GET /scaling/fleets/<fleet>` for an autoscaler: how many subjobs wait for the fleet's workers, and for how long. A fleet
 * that nothing waits for has none, also before its first worker, so that it can be scaled from zero.
 */
export const fleetScalingRoute = (backlog: FleetBacklog): Record<string, HealthRoute> => ({
  [PREFIX]: async (path) => {
    const backlogs = await backlog.read();
    const body = backlogs.get(decodeURIComponent(path.slice(PREFIX.length))) ?? { waiting: 0, oldestSeconds: 0 };
    return { status: 200, body };
  },
});
