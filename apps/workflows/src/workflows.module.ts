import { Module } from '@nestjs/common';
import { FilesController } from './files.controller.js';
import { FoldersController } from './folders.controller.js';
import { LoadForRunController } from './load-for-run.controller.js';
import { ProjectsController } from './projects.controller.js';
import { RunsListener } from './runs.listener.js';
import { SpacesController } from './spaces.controller.js';
import { ValidationController } from './validation.controller.js';
import { VaultsController } from './vaults.controller.js';
import { VersionsController } from './versions.controller.js';
import { WorkflowsController } from './workflows.controller.js';

/** Spaces, projects, workflows with their versions, and stored files. */
@Module({
  controllers: [
    SpacesController,
    ProjectsController,
    WorkflowsController,
    VersionsController,
    ValidationController,
    LoadForRunController,
    FoldersController,
    FilesController,
    VaultsController,
  ],
  providers: [RunsListener],
})
export class WorkflowsModule {}
