import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { BillingModule } from './billing.module.js';
import { billingEnv } from './env.js';

export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService({ name: 'billing', env: billingEnv, module: (env) => BillingModule.of(env) }, source);
