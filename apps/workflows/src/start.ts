import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { workflowsChecks } from './admin/checks.js';
import { workflowsEnv } from './env.js';
import { WorkflowsModule } from './workflows.module.js';

/** Starts the workflows service. */
export const start: StartService = (source, health) =>
  startService(
    { name: 'workflows', env: workflowsEnv, invariants: workflowsChecks, module: (env) => WorkflowsModule.of(env) },
    source,
    health,
  );
