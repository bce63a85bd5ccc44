import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { AppendRowsController } from './ingest/append-rows.controller.js';
import { CollectLoad } from './ingest/collect-load.job.js';
import { KeepLoads } from './ingest/keep-loads.service.js';
import { LoadGuard } from './ingest/loads/guard-load.js';
import { LoadsController } from './ingest/loads.controller.js';
import { MergeLoad } from './ingest/merge-load.job.js';
import { ReadPart } from './ingest/read-part.job.js';
import { RunFinishedListener } from './ingest/run-finished.listener.js';
import { RunLoadsController } from './ingest/run-loads.controller.js';
import { ReadThreads } from './ingest/staging/read-threads.js';
import { OBJECT_STORE } from './object-store.js';

/** Live Tables and what stands on them. */
@Module({})
export class DatasetsModule {
  static of(env: DatasetsEnv): DynamicModule {
    return {
      module: DatasetsModule,
      controllers: [AppendRowsController, LoadsController, RunLoadsController],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        LoadGuard,
        ReadThreads,
        RunFinishedListener,
        CollectLoad,
        ReadPart,
        MergeLoad,
        KeepLoads,
      ],
    };
  }
}
