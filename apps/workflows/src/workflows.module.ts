import { Module } from '@nestjs/common';
import { FilesController } from './storage/files.controller.js';
import { FoldersController } from './storage/folders.controller.js';
import { HooksController } from './hooks/hooks.controller.js';
import { FireHookController } from './hooks/fire-hook.controller.js';
import { KeepTicks } from './schedules/keep-ticks.service.js';
import { LaunchFor } from './running/launch-for.js';
import { LoadForRunController } from './running/load-for-run.controller.js';
import { ProjectsController } from './projects/projects.controller.js';
import { RunsListener } from './workflows/runs.listener.js';
import { ScheduleClock } from './schedules/schedule-clock.service.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { SpacesController } from './spaces/spaces.controller.js';
import { StartTick } from './schedules/start-tick.job.js';
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
    SchedulesController,
    HooksController,
    FireHookController,
    FoldersController,
    FilesController,
    VaultsController,
  ],
  providers: [RunsListener, LaunchFor, ScheduleClock, StartTick, KeepTicks],
})
export class WorkflowsModule {}
