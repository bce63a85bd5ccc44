import { Database } from '@millrace/persistence/database';
import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import type { ObjectStore } from '@millrace/storage/object-store';
import { runsChecks } from './admin/checks.js';
import { Watchdog } from './engine/reconcile/watchdog.js';
import { runsEnv } from './env.js';
import { fleetScalingRoute } from './metrics/fleet-scaling-route.js';
import { measureEngine } from './metrics/measure-engine.js';
import { readFleetLoads } from './metrics/read-fleet-loads.js';
import { OBJECT_STORE } from './object-store.js';
import { RunsModule } from './runs.module.js';
import { FleetBacklog } from './workers/fleet-backlog.js';
import { WorkerRegistry } from './workers/worker-registry.js';

/** Starts the runs service: the engine and its API. */
export const start: StartService = (source, health) =>
  startService(
    {
      name: 'runs',
      env: runsEnv,
      invariants: runsChecks,
      module: (env) => RunsModule.of(env),
      checks: (app) => ({ storage: () => app.get<ObjectStore>(OBJECT_STORE).check() }),
      findWarnings: (app) => app.get(Watchdog).findWarnings(),
      routes: (app) =>
        fleetScalingRoute(() => readFleetLoads(app.get(Database), app.get(WorkerRegistry), app.get(FleetBacklog))),
      measure: (app) => measureEngine(app.get(Database), app.get(WorkerRegistry), app.get(FleetBacklog)),
    },
    source,
    health,
  );
