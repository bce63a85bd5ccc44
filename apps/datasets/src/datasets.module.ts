import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { ColumnsController } from './columns/columns.controller.js';
import { ValuesController } from './columns/values.controller.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { IndexWishes } from './indexes/index-wishes.service.js';
import { IndexesController } from './indexes/indexes.controller.js';
import { KeepIndexesJob } from './indexes/keep-indexes.job.js';
import { DropLiveJob } from './live/drop-live.job.js';
import { SweepLive } from './live/sweep-live.service.js';
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
import { AggregateReader } from './reading/aggregate-reader.js';
import { AskedAgain } from './reading/asked-again.js';
import { LiveReader } from './reading/live-reader.js';
import { RowCounts } from './reading/row-counts.js';
import { RowsReader } from './reading/rows-reader.js';
import { Shapes } from './reading/shapes.js';
import { RowsController } from './rows/rows.controller.js';

/** Live Tables and what stands on them. */
@Module({})
export class DatasetsModule {
  static of(env: DatasetsEnv): DynamicModule {
    return {
      module: DatasetsModule,
      controllers: [
        AppendRowsController,
        ColumnsController,
        DatasetsController,
        IndexesController,
        LoadsController,
        RowsController,
        RunLoadsController,
        ValuesController,
      ],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        AggregateReader,
        AskedAgain,
        CollectLoad,
        DropLiveJob,
        IndexWishes,
        KeepIndexesJob,
        KeepLoads,
        LiveReader,
        LoadGuard,
        MergeLoad,
        ReadPart,
        ReadThreads,
        RowCounts,
        RowsReader,
        RunFinishedListener,
        Shapes,
        SweepLive,
      ],
    };
  }
}
