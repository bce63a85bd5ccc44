import { Module, type DynamicModule } from '@nestjs/common';
import type { WorkflowsEnv } from './env.js';
import { CopyForSolutionController } from './exchange/copy-for-solution.controller.js';
import { ExchangeController } from './exchange/exchange.controller.js';
import { TransfersController } from './exchange/transfers.controller.js';
import { YamlThreads } from './exchange/yaml-threads.js';
import { FireHookController } from './hooks/fire-hook.controller.js';
import { HooksController } from './hooks/hooks.controller.js';
import { BuiltInsLoader } from './library/built-ins.loader.js';
import { ModuleUsesController } from './library/module-uses.controller.js';
import { ModuleVersionsController } from './library/module-versions.controller.js';
import { ModulesController } from './library/modules.controller.js';
import { ModelCatalogue } from './models/model-catalogue.js';
import { ModelsController } from './models/models.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { LaunchFor } from './running/launch-for.js';
import { LoadForRunController } from './running/load-for-run.controller.js';
import { KeepTicks } from './schedules/keep-ticks.service.js';
import { ScheduleCheck } from './schedules/schedule-check.js';
import { ScheduleClock } from './schedules/schedule-clock.service.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { StartTick } from './schedules/start-tick.job.js';
import { DataKeys } from './secrets/data-keys.js';
import { MaskController } from './secrets/mask.controller.js';
import { MasterKeys } from './secrets/master-keys.js';
import { RevealController } from './secrets/reveal.controller.js';
import { SecretMasker } from './secrets/secret-masker.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { UndefinedVariablesController } from './secrets/undefined-variables.controller.js';
import { PublishedController } from './snapshots/published.controller.js';
import { SnapshotsController } from './snapshots/snapshots.controller.js';
import { SpacesController } from './spaces/spaces.controller.js';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { QuotaController } from './storage/quota.controller.js';
import { StorageQuota } from './storage/storage-quota.js';
import { StoredValuesGuard } from './validation/stored-values.guard.js';
import { ValidationController } from './validation/validation.controller.js';
import { VaultsController } from './vaults/vaults.controller.js';
import { VersionsController } from './versions/versions.controller.js';
import { FeedingListener } from './workflows/feeding.listener.js';
import { NameThingsController } from './workflows/name-things.controller.js';
import { RunsListener } from './workflows/runs.listener.js';
import { WorkflowsController } from './workflows/workflows.controller.js';

/** Spaces, projects, workflows with their versions, and stored files. */
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
        CopyForSolutionController,
        ModelsController,
        ValidationController,
        LoadForRunController,
        NameThingsController,
        SchedulesController,
        HooksController,
        FireHookController,
        ModulesController,
        ModuleVersionsController,
        ModuleUsesController,
        SecretsController,
        RevealController,
        MaskController,
        UndefinedVariablesController,
        FoldersController,
        FilesController,
        QuotaController,
        VaultsController,
      ],
      providers: [
        BuiltInsLoader,
        RunsListener,
        FeedingListener,
        LaunchFor,
        StoredValuesGuard,
        ScheduleCheck,
        ScheduleClock,
        StartTick,
        SecretMasker,
        KeepTicks,
        { provide: YamlThreads, useFactory: () => new YamlThreads() },
        { provide: ModelCatalogue, useFactory: () => new ModelCatalogue(env.MODELS_FILE) },
        { provide: StorageQuota, useValue: new StorageQuota(env.STORAGE_QUOTA ?? null) },
        { provide: DataKeys, useValue: new DataKeys(masterKeys) },
      ],
    };
  }
}
