import { Module, type DynamicModule } from '@nestjs/common';
import { DiskStore } from '@millrace/storage/disk-store';
import { BringInputs } from './engine/bring-inputs.js';
import { Engine } from './engine/engine.js';
import { Fleet } from './engine/fleet.js';
import { GatherStore } from './engine/gather-store.js';
import { Pace } from './engine/pace.js';
import { PlanStore } from './engine/plan-store.js';
import { VersionCache } from './engine/version-cache.js';
import type { RunsEnv } from './env.js';
import { LaunchController } from './launch.controller.js';
import { OBJECT_STORE } from './object-store.js';
import { OutputsController } from './outputs.controller.js';
import { ReportsController } from './reports.controller.js';
import { RunsController } from './runs.controller.js';
import { LinkSigner } from './sign-link.js';
import { StartRun } from './start-run.js';
import { SubjobsController } from './subjobs.controller.js';

@Module({})
export class RunsModule {
  static of(env: RunsEnv): DynamicModule {
    return {
      module: RunsModule,
      controllers: [RunsController, LaunchController, SubjobsController, OutputsController, ReportsController],
      providers: [
        { provide: OBJECT_STORE, useFactory: () => new DiskStore(env.STORAGE_DIR) },
        { provide: LinkSigner, useValue: new LinkSigner(env.MILLRACE_SECRET) },
        PlanStore,
        GatherStore,
        Pace,
        Fleet,
        VersionCache,
        BringInputs,
        Engine,
        StartRun,
      ],
    };
  }
}
