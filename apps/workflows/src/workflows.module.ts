import { Module, type DynamicModule } from '@nestjs/common';
import { ContentsRestorer } from '@millrace/messaging/rpc/contents-restorer';
import { MeasureVaultsController } from './admin/measure-vaults.controller.js';
import type { WorkflowsEnv } from './env.js';
import { SolutionCopiesController } from './exchange/copying/solution-copies.controller.js';
import { TransfersController } from './exchange/copying/transfers.controller.js';
import { ExchangeController } from './exchange/files/exchange.controller.js';
import { WorkflowFilesController } from './exchange/files/workflow-files.controller.js';
import { YamlThreads } from './exchange/yaml/yaml-threads.js';
import { HookCallGuard } from './hooks/hook-call.guard.js';
import { HookCallsController } from './hooks/hook-calls.controller.js';
import { HooksController } from './hooks/hooks.controller.js';
import { BuiltInsLoader } from './library/built-ins.loader.js';
import { ModuleVersionsController } from './library/module-versions.controller.js';
import { ModulesController } from './library/modules.controller.js';
import { ModuleUsesController } from './library/uses/module-uses.controller.js';
import { ModelCatalogue } from './models/model-catalogue.js';
import { ModelsController } from './models/models.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { RunLauncher } from './running/run-launcher.js';
import { RunLoadingController } from './running/run-loading.controller.js';
import { ScheduleChecker } from './schedules/schedule-checker.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { ScheduleClockService } from './schedules/ticks/schedule-clock.service.js';
import { StartTickJob } from './schedules/ticks/start-tick.job.js';
import { TickReconcilerService } from './schedules/ticks/tick-reconciler.service.js';
import { DataKeys } from './secrets/keys/data-keys.js';
import { MasterKeys } from './secrets/keys/master-keys.js';
import { SecretMasker } from './secrets/masking/secret-masker.js';
import { RunSecretsController } from './secrets/runs/run-secrets.controller.js';
import { SecretsController } from './secrets/variables/secrets.controller.js';
import { PublishedController } from './snapshots/published.controller.js';
import { SnapshotsController } from './snapshots/snapshots.controller.js';
import { SpacesController } from './spaces/spaces.controller.js';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { QuotaController } from './storage/quota.controller.js';
import { StorageQuota } from './storage/storage-quota.js';
import { StoredValuesChecker } from './validation/stored-values-checker.js';
import { ValidationController } from './validation/validation.controller.js';
import { VaultAdministeredListener } from './vaults/vault-administered.listener.js';
import { VaultsController } from './vaults/vaults.controller.js';
import { VersionSaver } from './versions/saving/version-saver.js';
import { VersionsController } from './versions/versions.controller.js';
import { RunStatusListener } from './workflows/tracking/run-status.listener.js';
import { WorkflowFeedingListener } from './workflows/tracking/workflow-feeding.listener.js';
import { WorkflowsController } from './workflows/workflows.controller.js';

/**
 * The service that owns spaces, projects, workflows with their versions, schedules, hooks, secrets, the library and
 * stored files.
 */
@Module({})
export class WorkflowsModule {
  static of(env: WorkflowsEnv): DynamicModule {
    const masterKeys = new MasterKeys(env.MILLRACE_SECRET, env.SECRETS_KEY_FILE);
    return {
      module: WorkflowsModule,
      controllers: [
        SpacesController,
        ProjectsController,
        WorkflowsController,
        VersionsController,
        SnapshotsController,
        PublishedController,
        TransfersController,
        ExchangeController,
        WorkflowFilesController,
        SolutionCopiesController,
        ModelsController,
        ValidationController,
        RunLoadingController,
        SchedulesController,
        HooksController,
        HookCallsController,
        ModulesController,
        ModuleVersionsController,
        ModuleUsesController,
        SecretsController,
        RunSecretsController,
        FoldersController,
        FilesController,
        QuotaController,
        VaultsController,
        MeasureVaultsController,
      ],
      providers: [
        HookCallGuard,
        ContentsRestorer,
        VaultAdministeredListener,
        BuiltInsLoader,
        RunStatusListener,
        WorkflowFeedingListener,
        RunLauncher,
        StoredValuesChecker,
        VersionSaver,
        ScheduleChecker,
        ScheduleClockService,
        StartTickJob,
        SecretMasker,
        TickReconcilerService,
        { provide: YamlThreads, useFactory: () => new YamlThreads() },
        { provide: ModelCatalogue, useFactory: () => new ModelCatalogue(env.MODELS_FILE) },
        { provide: StorageQuota, useValue: new StorageQuota(env.STORAGE_QUOTA ?? null) },
        { provide: DataKeys, useValue: new DataKeys(masterKeys) },
      ],
    };
  }
}
