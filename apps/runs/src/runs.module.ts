import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { BoundOutputsController } from './bound-outputs.controller.js';
import { CACHE_RETENTION_DAYS, ExpireCache } from './cache/expire-cache.js';
import { FindCachedController } from './cache/find-cached.controller.js';
import { SpaceDeletedListener } from './cache/space-deleted.listener.js';
import { BringInputs } from './engine/bring-inputs.js';
import { Engine } from './engine/engine.js';
import { Fleet } from './engine/fleet.js';
import { GatherStore } from './engine/gather-store.js';
import { Pace } from './engine/pace.js';
import { PlanStore } from './engine/plan-store.js';
import { VersionCache } from './engine/version-cache.js';
import type { RunsEnv } from './env.js';
import { InputsController } from './inputs.controller.js';
import { MaskInputs } from './inputs/mask-inputs.js';
import { LaunchController } from './launch.controller.js';
import { OBJECT_STORE } from './object-store.js';
import { OutputsController } from './outputs.controller.js';
import { ReportsController } from './reports.controller.js';
import { VaultRestrictedListener } from './restrictions/vault-restricted.listener.js';
import { RunsController } from './runs.controller.js';
import { SandboxExecController } from './sandbox/exec.controller.js';
import { SandboxFilesController } from './sandbox/files.controller.js';
import { Hosts } from './sandbox/hosts.js';
import { RetireWorkspaces } from './sandbox/retire-workspaces.js';
import { SANDBOX_LIFE_MS, SANDBOX_TIMES } from './sandbox/sandbox-times.js';
import { SandboxSessionsController } from './sandbox/sessions.controller.js';
import { Sessions } from './sandbox/sessions.js';
import { SandboxSettleController } from './sandbox/settle.controller.js';
import { TendSandboxes } from './sandbox/tend-sandboxes.js';
import { WorkflowDeletedListener } from './sandbox/workflow-deleted.listener.js';
import { LinkSigner } from './sign-link.js';
import { StartRun } from './start-run.js';
import { SubjobsController } from './subjobs.controller.js';
import { VariablesController } from './variables.controller.js';
import { WorkflowMovedListener } from './workflow-moved.listener.js';

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
