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
      controllers: [ColumnsController, DatasetsController, IndexesController, RowsController, ValuesController],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        AggregateReader,
        AskedAgain,
        DropLiveJob,
        IndexWishes,
        KeepIndexesJob,
        LiveReader,
        RowCounts,
        RowsReader,
        Shapes,
        SweepLive,
      ],
    };
  }
}
