import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { authChecks } from './admin/checks.js';
import { AuthModule } from './auth.module.js';
import { authEnv } from './env.js';

export const start: StartService = (source, health) =>
  startService(
    { name: 'auth', env: authEnv, invariants: authChecks, module: (env) => AuthModule.with(env) },
    source,
    health,
  );
