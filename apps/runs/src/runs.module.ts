import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { CACHE_RETENTION_DAYS, ExpireCache } from './cache/cache-expiry.js';
import { FindCachedController } from './cache/find-cached.controller.js';
import { SpaceDeletedListener } from './cache/space-deleted.listener.js';
import { Pace } from './engine/dispatch/duration-estimator.js';
import { GatherStore } from './engine/dispatch/output-lists.js';
import { Engine } from './engine/engine.js';
import { PlanStore } from './engine/plans/plan-store.js';
import type { RunsEnv } from './env.js';
import { MaskInputs } from './inputs/input-masker.js';
import { BringInputs } from './inputs/input-resolver.js';
import { InputsController } from './inputs/inputs.controller.js';
import { LaunchController } from './launch/launch.controller.js';
import { StartRun } from './launch/run-starter.js';
import { VersionCache } from './launch/version-cache.js';
import { OBJECT_STORE } from './object-store.js';
import { BoundOutputsController } from './outputs/bound-outputs.controller.js';
import { LinkSigner } from './outputs/link-signer.js';
import { OutputsController } from './outputs/outputs.controller.js';
import { VaultRestrictedListener } from './restrictions/vault-restricted.listener.js';
import { RunsController } from './runs/runs.controller.js';
import { WorkflowMovedListener } from './runs/workflow-moved.listener.js';
import { SandboxSettleController } from './sandbox/commands/command-results.controller.js';
import { SandboxExecController } from './sandbox/commands/commands.controller.js';
import { Hosts } from './sandbox/commands/sandbox-hosts.js';
import { SANDBOX_LIFE_MS, SANDBOX_TIMES } from './sandbox/sessions/sandbox-times.js';
import { Sessions } from './sandbox/sessions/session-access.js';
import { TendSandboxes } from './sandbox/sessions/session-reconciler.js';
import { SandboxSessionsController } from './sandbox/sessions/sessions.controller.js';
import { SandboxFilesController } from './sandbox/workspace/files.controller.js';
import { WorkflowDeletedListener } from './sandbox/workspace/workflow-deleted.listener.js';
import { RetireWorkspaces } from './sandbox/workspace/workspace-expiry.js';
import { SubjobsController } from './subjobs/subjobs.controller.js';
import { ReportsController } from './workers/reports.controller.js';
import { VariablesController } from './workers/variables.controller.js';
import { Fleet } from './workers/worker-registry.js';

@Module({})
export class RunsModule {
  static of(env: RunsEnv): DynamicModule {
    return {
      module: RunsModule,
      controllers: [
        RunsController,
        LaunchController,
        InputsController,
        SubjobsController,
        OutputsController,
        BoundOutputsController,
        ReportsController,
        VariablesController,
        FindCachedController,
        SandboxSessionsController,
        SandboxExecController,
        SandboxSettleController,
        SandboxFilesController,
      ],
      providers: [
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: LinkSigner, useValue: new LinkSigner(env.MILLRACE_SECRET) },
        PlanStore,
        GatherStore,
        Pace,
        Fleet,
        VersionCache,
        BringInputs,
        MaskInputs,
        Engine,
        StartRun,
        VaultRestrictedListener,
        WorkflowMovedListener,
        { provide: CACHE_RETENTION_DAYS, useValue: env.CACHE_RETENTION_DAYS },
        ExpireCache,
        SpaceDeletedListener,
        { provide: SANDBOX_TIMES, useValue: { idleMs: env.SANDBOX_IDLE_MINUTES * 60_000, lifeMs: SANDBOX_LIFE_MS } },
        Hosts,
        Sessions,
        TendSandboxes,
        RetireWorkspaces,
        WorkflowDeletedListener,
      ],
    };
  }
}
