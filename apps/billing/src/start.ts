import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { billingChecks } from './admin/checks.js';
import { BillingModule } from './billing.module.js';
import { billingEnv } from './env.js';

export const start: StartService = (source, health) =>
  startService(
    { name: 'billing', env: billingEnv, invariants: billingChecks, module: (env) => BillingModule.of(env) },
    source,
    health,
  );
