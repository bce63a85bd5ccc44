import type { HealthRoute } from '@millrace/service/health/health-server';
import type { FleetLoad } from './read-fleet-loads.js';

const PREFIX = '/scaling/fleets/';

/**
 * `GET /scaling/fleets/<fleet>` for an autoscaler: how many subjobs wait for the fleet's workers, for how long, and how many
 * slots are busy, because a fleet whose steps all run must not be scaled down. An unknown fleet has zeros, so that it can be
 * scaled from zero.
 */
export const fleetScalingRoute = (readLoads: () => Promise<FleetLoad[]>): Record<string, HealthRoute> => ({
  [PREFIX]: async (path) => {
    const name = decodeURIComponent(path.slice(PREFIX.length));
    const load = (await readLoads()).find(({ fleet }) => fleet === name);
    const { waiting = 0, oldestSeconds = 0, busySlots: busy = 0 } = load ?? {};
    return { status: 200, body: { waiting, oldestSeconds, busy } };
  },
});
