import type { ProcessEnv } from '@millrace/service/env';
import type { RunningService } from '@millrace/service/run-until-signal';
import { startService } from '@millrace/service/start-service';
import { BillingModule } from './billing.module.js';
import { billingEnv } from './env.js';

export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService({ name: 'billing', env: billingEnv, module: (env) => BillingModule.of(env) }, source);
