import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { AuthModule } from './auth.module.js';
import { authEnv } from './env.js';

export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService({ name: 'auth', env: authEnv, module: (env) => AuthModule.with(env) }, source);
