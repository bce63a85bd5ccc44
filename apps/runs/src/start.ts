import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { Watchdog } from './engine/reconcile/watchdog.js';
import { runsEnv } from './env.js';
import { RunsModule } from './runs.module.js';

/** Starts the runs service: the engine and its API. */
export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService(
    {
      name: 'runs',
      env: runsEnv,
      module: (env) => RunsModule.of(env),
      findWarnings: (app) => app.get(Watchdog).findWarnings(),
    },
    source,
  );
