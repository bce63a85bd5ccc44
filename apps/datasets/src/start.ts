import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { DatasetsModule } from './datasets.module.js';
import { datasetsEnv } from './env.js';

export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService({ name: 'datasets', env: datasetsEnv, module: (env) => DatasetsModule.of(env) }, source);
