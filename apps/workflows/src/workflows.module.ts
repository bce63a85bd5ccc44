import { Module, type DynamicModule } from '@nestjs/common';
import { ExchangeController } from './exchange/exchange.controller.js';
import { TransfersController } from './exchange/transfers.controller.js';
import { PublishedController } from './snapshots/published.controller.js';
import { SnapshotsController } from './snapshots/snapshots.controller.js';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { LoadForRunController } from './running/load-for-run.controller.js';
import { ModelCatalogue } from './models/model-catalogue.js';
import { ModelsController } from './models/models.controller.js';
import type { WorkflowsEnv } from './env.js';
import { ProjectsController } from './projects/projects.controller.js';
import { RunsListener } from './workflows/runs.listener.js';
import { SpacesController } from './spaces/spaces.controller.js';
import { ValidationController } from './validation/validation.controller.js';
import { VaultsController } from './vaults/vaults.controller.js';
import { VersionsController } from './versions/versions.controller.js';
import { WorkflowsController } from './workflows/workflows.controller.js';

/** Spaces, projects, workflows with their versions, and stored files. */
@Module({})
export class WorkflowsModule {
  static of(env: WorkflowsEnv): DynamicModule {
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
        ModelsController,
        ValidationController,
        LoadForRunController,
        FoldersController,
        FilesController,
        VaultsController,
      ],
      providers: [{ provide: ModelCatalogue, useFactory: () => new ModelCatalogue(env.MODELS_FILE) }, RunsListener],
    };
  }
}
