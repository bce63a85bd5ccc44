import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { storageArea } from '@millrace/storage/storage-area';
import { ColumnsController } from './columns/columns.controller.js';
import { ValuesController } from './columns/values.controller.js';
import { ChangeLimiter } from './concurrency/change-limiter.js';
import { RequestDeduplicator } from './concurrency/request-deduplicator.js';
import { DatasetTransactions } from './datasets/dataset-transactions.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DetectTables } from './detected-tables/detect-tables.job.js';
import { DetectedTablesController } from './detected-tables/detected-tables.controller.js';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { EXPORT_STORE } from './exports/export-store.js';
import { ExportThreads } from './exports/export-threads.js';
import { ExportsController } from './exports/exports.controller.js';
import { KeepExports } from './exports/keep-exports.service.js';
import { OrderExportController } from './exports/order-export.controller.js';
import { WriteExport } from './exports/write-export.job.js';
import { IndexWishes } from './indexes/index-wishes.service.js';
import { IndexesController } from './indexes/indexes.controller.js';
import { KeepIndexesJob } from './indexes/keep-indexes.job.js';
import { AppendRowsController } from './ingest/append-rows.controller.js';
import { CollectLoad } from './ingest/collect-load.job.js';
import { KeepLoads } from './ingest/keep-loads.service.js';
import { LoadsController } from './ingest/loads.controller.js';
import { LoadGuard } from './ingest/loads/guard-load.js';
import { MergeLoad } from './ingest/merge-load.job.js';
import { ReadPart } from './ingest/read-part.job.js';
import { RunFinishedListener } from './ingest/run-finished.listener.js';
import { RunLoadsController } from './ingest/run-loads.controller.js';
import { ReadThreads } from './ingest/staging/read-threads.js';
import { DropLiveTablesJob } from './live/drop-live-tables.job.js';
import { SweepLiveTablesService } from './live/sweep-live-tables.service.js';
import { OBJECT_STORE } from './object-store.js';
import { FolderQueriesController } from './query-folders/folder-queries.controller.js';
import { QueryFoldersController } from './query-folders/query-folders.controller.js';
import { AggregateReader } from './reading/aggregate-reader.js';
import { LiveReader } from './reading/live-reader.js';
import { RowCounter } from './reading/row-counter.js';
import { RowsReader } from './reading/rows-reader.js';
import { ShapeCache } from './reading/shape-cache.js';
import { ReportingNodesController } from './reporting-nodes/reporting-nodes.controller.js';
import { WorkflowDeletedListener } from './reporting-nodes/workflow-deleted.listener.js';
import { RowsController } from './rows/rows.controller.js';
import { CopySolutionController } from './solutions/copy/copy-solution.controller.js';
import { DiscardCopiesService } from './solutions/copy/discard-copies.service.js';
import { WorkflowCopier } from './solutions/copy/workflow-copier.js';
import { QuerySolutionController } from './solutions/query/query-solution.controller.js';
import { UnionReader } from './solutions/query/union-reader.js';
import { SolutionsController } from './solutions/solutions.controller.js';
import { SpaceDeletedListener } from './solutions/space-deleted.listener.js';
import { SpaceAccess } from './spaces/space-access.js';
import { ViewRowsController } from './views/view-rows.controller.js';
import { ViewsController } from './views/views.controller.js';

/** Live Tables and what stands on them. */
@Module({})
export class DatasetsModule {
  static of(env: DatasetsEnv): DynamicModule {
    return {
      module: DatasetsModule,
      controllers: [
        AppendRowsController,
        ColumnsController,
        CopySolutionController,
        DatasetsController,
        DetectedTablesController,
        ExportsController,
        FolderQueriesController,
        IndexesController,
        LoadsController,
        OrderExportController,
        QueryFoldersController,
        QuerySolutionController,
        ReportingNodesController,
        RowsController,
        RunLoadsController,
        SolutionsController,
        ValuesController,
        ViewRowsController,
        ViewsController,
      ],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: EXPORT_STORE, useFactory: () => openStore(storageArea(env, 'exports')) },
        AggregateReader,
        RequestDeduplicator,
        DatasetTransactions,
        ChangeLimiter,
        CollectLoad,
        DetectTables,
        DiscardCopiesService,
        DropLiveTablesJob,
        ExportThreads,
        IndexWishes,
        KeepExports,
        KeepIndexesJob,
        KeepLoads,
        LiveReader,
        LoadGuard,
        MergeLoad,
        SpaceAccess,
        ReadPart,
        ReadThreads,
        RowCounter,
        RowsReader,
        RunFinishedListener,
        ShapeCache,
        SpaceDeletedListener,
        SweepLiveTablesService,
        UnionReader,
        WorkflowCopier,
        WorkflowDeletedListener,
        WriteExport,
      ],
    };
  }
}
