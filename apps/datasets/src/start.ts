import { databaseEnv, type ProcessEnv } from '@millrace/service/env';
import type { Running } from '@millrace/service/run-until-signal';
import { startService } from '@millrace/service/start-service';
import { DatasetsModule } from './datasets.module.js';

export const start = (source: ProcessEnv): Promise<Running> =>
  startService({ name: 'datasets', env: databaseEnv, module: () => DatasetsModule }, source);
