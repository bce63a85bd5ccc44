import { Module, type DynamicModule } from '@nestjs/common';
import type { WorkflowsEnv } from './env.js';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { QuotaController } from './storage/quota.controller.js';
import { StorageQuota } from './storage/storage-quota.js';
import { LoadForRunController } from './running/load-for-run.controller.js';
import { BuiltInsLoader } from './library/built-ins.loader.js';
import { ModuleUsesController } from './library/module-uses.controller.js';
import { ModuleVersionsController } from './library/module-versions.controller.js';
import { ModulesController } from './library/modules.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { DataKeys } from './secrets/data-keys.js';
import { MasterKeys } from './secrets/master-keys.js';
import { RevealController } from './secrets/reveal.controller.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { RunsListener } from './workflows/runs.listener.js';
import { SpacesController } from './spaces/spaces.controller.js';
import { ValidationController } from './validation/validation.controller.js';
import { VaultsController } from './vaults/vaults.controller.js';
import { VersionsController } from './versions/versions.controller.js';
import { WorkflowsController } from './workflows/workflows.controller.js';

/** Spaces, projects, workflows with their versions, and stored files. */
@Module({
  controllers: [
    SpacesController,
    ProjectsController,
    WorkflowsController,
    VersionsController,
    ValidationController,
    LoadForRunController,
    ModulesController,
    ModuleVersionsController,
    ModuleUsesController,
    FoldersController,
    FilesController,
    QuotaController,
    VaultsController,
    SecretsController,
    RevealController,
  ],
  providers: [BuiltInsLoader, RunsListener],
})
export class WorkflowsModule {
  static of(env: WorkflowsEnv): DynamicModule {
    const masterKeys = new MasterKeys(env.MILLRACE_SECRET, env.SECRETS_KEY_FILE);
    return {
      module: WorkflowsModule,
      providers: [
        { provide: StorageQuota, useValue: new StorageQuota(env.STORAGE_QUOTA ?? null) },
        { provide: DataKeys, useValue: new DataKeys(masterKeys) },
      ],
    };
  }
}
