import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { MeasureVaultsController } from './admin/measure-vaults.controller.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { CACHE_RETENTION_DAYS, CacheExpiry } from './cache/cache-expiry.js';
import { ClearCacheController } from './cache/clear-cache.controller.js';
import { ExplainCacheController } from './cache/explain-cache.controller.js';
import { FindCachedController } from './cache/find-cached.controller.js';
import { KnownNodes } from './cache/known-nodes.js';
import { SpaceDeletedListener } from './cache/space-deleted.listener.js';
import { CompareController } from './compare/compare.controller.js';
import { ItemKeys } from './compare/item-keys.js';
import { CONTENT_GRACE_SECONDS, ContentsCollector } from './contents/contents-collector.js';
import { ContentsController } from './contents/contents.controller.js';
import { ExistingWorkflows } from './deleted-workflows/existing-workflows.js';
import { WorkflowDeletedListener } from './deleted-workflows/workflow-deleted.listener.js';
import { DryRunController } from './dry-run/dry-run.controller.js';
import { ProblemFinder } from './dry-run/problem-finder.js';
import { TaskChecker } from './engine/checks/task-checker.js';
import { RunDeletion } from './engine/delete/run-deletion.js';
import { Dispatcher } from './engine/dispatch/dispatcher.js';
import { DurationEstimator } from './engine/dispatch/duration-estimator.js';
import { OutputLists } from './engine/dispatch/output-lists.js';
import { PlanStore } from './engine/plans/plan-store.js';
import { OpenWork } from './engine/reconcile/open-work.js';
import { Reconciler } from './engine/reconcile/reconciler.js';
import { Watchdog } from './engine/reconcile/watchdog.js';
import { ReportReceiver, STORAGE_QUOTA } from './engine/reports/report-receiver.js';
import { RunStopper } from './engine/stop/run-stopper.js';
import { RunTransaction } from './engine/transaction/run-transaction.js';
import type { RunsEnv } from './env.js';
import { FailuresController } from './failures/failures.controller.js';
import { InputMasker } from './inputs/input-masker.js';
import { InputResolver } from './inputs/input-resolver.js';
import { LaunchController } from './launch/launch.controller.js';
import { RunRequests } from './launch/run-requests.js';
import { RunStarter } from './launch/run-starter.js';
import { VersionCache } from './launch/version-cache.js';
import { OBJECT_STORE } from './object-store.js';
import { BoundOutputsController } from './outputs/bound-outputs.controller.js';
import { LinkSigner } from './outputs/link-signer.js';
import { OutputArchive } from './outputs/output-archive.js';
import { OutputsController } from './outputs/outputs.controller.js';
import { RunOutputLists } from './outputs/run-output-lists.js';
import { ChangedInputs } from './parameters/changed-inputs.js';
import { ParametersController } from './parameters/parameters.controller.js';
import { LimitsChangedListener } from './restrictions/limits-changed.listener.js';
import { VaultAdministeredListener } from './restrictions/vault-administered.listener.js';
import { VAULT_LIMITS } from './restrictions/vault-limits.js';
import { VaultRestrictedListener } from './restrictions/vault-restricted.listener.js';
import { RetentionChangedListener } from './retention/retention-changed.listener.js';
import { RETENTION_GRACE_MINUTES, RunRetentionService } from './retention/run-retention.service.js';
import { ControlController } from './runs/control.controller.js';
import { RepairController } from './runs/repair.controller.js';
import { RunsController } from './runs/runs.controller.js';
import { WorkflowMovedListener } from './runs/workflow-moved.listener.js';
import { SandboxExecResultsController } from './sandbox/exec/exec-results.controller.js';
import { SandboxExecController } from './sandbox/exec/exec.controller.js';
import { SandboxHosts } from './sandbox/exec/sandbox-hosts.js';
import { SANDBOX_LIFETIME_MS, SANDBOX_TIMES } from './sandbox/sessions/sandbox-times.js';
import { SessionAccess } from './sandbox/sessions/session-access.js';
import { SessionReconciler } from './sandbox/sessions/session-reconciler.js';
import { SandboxSessionsController } from './sandbox/sessions/sessions.controller.js';
import { SandboxFilesController } from './sandbox/workspace/files.controller.js';
import { WorkspaceExpiry } from './sandbox/workspace/workspace-expiry.js';
import { LogTimesController } from './subjobs/log-times.controller.js';
import { SubjobLists } from './subjobs/subjob-lists.js';
import { SubjobsController } from './subjobs/subjobs.controller.js';
import { FleetBacklog } from './workers/fleet-backlog.js';
import { FleetsController } from './workers/fleets.controller.js';
import { ReportsController } from './workers/reports.controller.js';
import { VariablesController } from './workers/variables.controller.js';
import { WorkerRegistry } from './workers/worker-registry.js';
import { WorkerRevokedListener } from './workers/worker-revoked.listener.js';
import { WorkersController } from './workers/workers.controller.js';

@Module({})
export class RunsModule {
  static of(env: RunsEnv): DynamicModule {
    return {
      module: RunsModule,
      controllers: [
        RunsController,
        ApprovalsController,
        RepairController,
        ControlController,
        ParametersController,
        DryRunController,
        LaunchController,
        SubjobsController,
        LogTimesController,
        OutputsController,
        FailuresController,
        CompareController,
        BoundOutputsController,
        ContentsController,
        ReportsController,
        VariablesController,
        WorkersController,
        FleetsController,
        FindCachedController,
        ExplainCacheController,
        ClearCacheController,
        SandboxSessionsController,
        SandboxExecController,
        SandboxExecResultsController,
        SandboxFilesController,
        MeasureVaultsController,
      ],
      providers: [
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: LinkSigner, useValue: new LinkSigner(env.MILLRACE_SECRET) },
        PlanStore,
        ItemKeys,
        OutputLists,
        SubjobLists,
        OutputArchive,
        RunOutputLists,
        DurationEstimator,
        WorkerRegistry,
        FleetBacklog,
        VersionCache,
        InputResolver,
        ChangedInputs,
        ProblemFinder,
        InputMasker,
        RunTransaction,
        Dispatcher,
        ReportReceiver,
        { provide: STORAGE_QUOTA, useValue: env.STORAGE_QUOTA ?? null },
        OpenWork,
        Reconciler,
        RunDeletion,
        RunStopper,
        TaskChecker,
        Watchdog,
        {
          provide: VAULT_LIMITS,
          useValue: { dispatches: env.VAULT_MAX_DISPATCHES, activeRuns: env.VAULT_MAX_ACTIVE_RUNS },
        },
        RunStarter,
        RunRequests,
        ExistingWorkflows,
        VaultRestrictedListener,
        VaultAdministeredListener,
        LimitsChangedListener,
        WorkflowMovedListener,
        { provide: CACHE_RETENTION_DAYS, useValue: env.CACHE_RETENTION_DAYS },
        CacheExpiry,
        KnownNodes,
        { provide: RETENTION_GRACE_MINUTES, useValue: env.RETENTION_GRACE_MINUTES },
        RetentionChangedListener,
        RunRetentionService,
        SpaceDeletedListener,
        { provide: CONTENT_GRACE_SECONDS, useValue: env.CONTENT_GRACE_SECONDS },
        ContentsCollector,
        {
          provide: SANDBOX_TIMES,
          useValue: { idleMs: env.SANDBOX_IDLE_MINUTES * 60_000, lifetimeMs: SANDBOX_LIFETIME_MS },
        },
        SandboxHosts,
        SessionAccess,
        SessionReconciler,
        WorkspaceExpiry,
        WorkflowDeletedListener,
        WorkerRevokedListener,
      ],
    };
  }
}
