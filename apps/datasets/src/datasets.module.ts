import { type DynamicModule, Module } from '@nestjs/common';
import { ContentsRestorer } from '@millrace/messaging/rpc/contents-restorer';
import { openStore } from '@millrace/storage/open-store';
import { storageArea } from '@millrace/storage/settings/storage-env';
import { MeasureVaultsController } from './admin/measure-vaults.controller.js';
import { ColumnsController } from './columns/columns.controller.js';
import { ValuesController } from './columns/values.controller.js';
import { RequestDeduplicator } from './concurrency/request-deduplicator.js';
import { ChangeLimiter, DatasetTransactions } from './datasets/dataset-transactions.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DetectTablesJob } from './detected-tables/detect-tables.job.js';
import { DetectedTablesController } from './detected-tables/detected-tables.controller.js';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { ExportThreads } from './exports/attempts/export-threads.js';
import { WriteExportJob } from './exports/attempts/write-export.job.js';
import { CreateExportController } from './exports/creation/create-export.controller.js';
import { ExportReconcilerService } from './exports/records/export-reconciler.service.js';
import { ExportsController } from './exports/records/exports.controller.js';
import { IndexUsageService } from './indexes/index-usage.service.js';
import { IndexesController } from './indexes/indexes.controller.js';
import { UpdateIndexesJob } from './indexes/update-indexes.job.js';
import { AppendRowsController } from './ingest/append-rows.controller.js';
import { LoadHistoryService } from './ingest/history/load-history.service.js';
import { CollectLoadJob } from './ingest/loads/collect-load.job.js';
import { LoadGuard } from './ingest/loads/load-guard.js';
import { LoadReconcilerService } from './ingest/loads/load-reconciler.service.js';
import { LoadsController } from './ingest/loads/loads.controller.js';
import { MergeLoadJob } from './ingest/merging/merge-load.job.js';
import { VaultAdministeredListener } from './ingest/merging/vault-administered.listener.js';
import { RunFinishedListener } from './ingest/run-finished.listener.js';
import { RunLoadsController } from './ingest/run-loads.controller.js';
import { ReadPartJob } from './ingest/staging/read-part.job.js';
import { ReadThreads } from './ingest/staging/read-threads.js';
import { DropLiveTablesJob } from './live/drop-live-tables.job.js';
import { SweepLiveTablesService } from './live/sweep-live-tables.service.js';
import { EXPORT_STORE, OBJECT_STORE } from './object-stores.js';
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
import { RunTablesController } from './run-tables/run-tables.controller.js';
import { TableComparer } from './run-tables/table-comparer.js';
import { CopySolutionController } from './solutions/copy/copy-solution.controller.js';
import { DiscardCopiesService } from './solutions/copy/discard-copies.service.js';
import { WorkflowCopier } from './solutions/copy/workflow-copier.js';
import { QuerySolutionController } from './solutions/query/query-solution.controller.js';
import { UnionReader } from './solutions/query/union-reader.js';
import { SolutionsController } from './solutions/solutions.controller.js';
import { SpaceDeletedListener } from './solutions/space-deleted.listener.js';
import { SpaceAccess } from './spaces/space-access.js';
import { TableChangesController } from './table-changes/table-changes.controller.js';
import { ViewRowsController } from './views/view-rows.controller.js';
import { ViewsController } from './views/views.controller.js';

/** Live Tables, the solutions that contain them, and views, exports and query folders. */
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
        CreateExportController,
        QueryFoldersController,
        QuerySolutionController,
        ReportingNodesController,
        RowsController,
        RunLoadsController,
        RunTablesController,
        SolutionsController,
        TableChangesController,
        ValuesController,
        ViewRowsController,
        ViewsController,
        MeasureVaultsController,
      ],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: EXPORT_STORE, useFactory: () => openStore(storageArea(env, 'exports')) },
        ContentsRestorer,
        AggregateReader,
        RequestDeduplicator,
        DatasetTransactions,
        ChangeLimiter,
        VaultAdministeredListener,
        CollectLoadJob,
        DetectTablesJob,
        DiscardCopiesService,
        DropLiveTablesJob,
        ExportThreads,
        IndexUsageService,
        ExportReconcilerService,
        UpdateIndexesJob,
        LoadHistoryService,
        LoadReconcilerService,
        LiveReader,
        LoadGuard,
        MergeLoadJob,
        SpaceAccess,
        ReadPartJob,
        ReadThreads,
        RowCounter,
        RowsReader,
        RunFinishedListener,
        ShapeCache,
        SpaceDeletedListener,
        SweepLiveTablesService,
        TableComparer,
        UnionReader,
        WorkflowCopier,
        WorkflowDeletedListener,
        WriteExportJob,
      ],
    };
  }
}
