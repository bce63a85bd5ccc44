import { Module } from '@nestjs/common';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { LoadForRunController } from './running/load-for-run.controller.js';
import { BuiltInsLoader } from './library/built-ins.loader.js';
import { ModuleUsesController } from './library/module-uses.controller.js';
import { ModuleVersionsController } from './library/module-versions.controller.js';
import { ModulesController } from './library/modules.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
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
    VaultsController,
  ],
  providers: [BuiltInsLoader, RunsListener],
})
export class WorkflowsModule {}
