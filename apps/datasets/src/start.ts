import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import type { ObjectStore } from '@millrace/storage/object-store';
import { datasetsChecks } from './admin/checks.js';
import { DatasetsModule } from './datasets.module.js';
import { datasetsEnv } from './env.js';
import { OBJECT_STORE } from './object-stores.js';

export const start: StartService = (source, health) =>
  startService(
    {
      name: 'datasets',
      env: datasetsEnv,
      invariants: datasetsChecks,
      module: (env) => DatasetsModule.of(env),
      checks: (app) => ({ storage: () => app.get<ObjectStore>(OBJECT_STORE).check() }),
    },
    source,
    health,
  );
