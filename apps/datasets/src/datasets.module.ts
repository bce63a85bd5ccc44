import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { ColumnsController } from './columns/columns.controller.js';
import { ValuesController } from './columns/values.controller.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { DropLiveJob } from './live/drop-live.job.js';
import { OBJECT_STORE } from './object-store.js';
import { Places } from './places.js';
import { FolderQueriesController } from './query-folders/folder-queries.controller.js';
import { QueryFoldersController } from './query-folders/query-folders.controller.js';
import { AggregateReader } from './reading/aggregate-reader.js';
import { LiveReader } from './reading/live-reader.js';
import { RowCounts } from './reading/row-counts.js';
import { RowsReader } from './reading/rows-reader.js';
import { Shapes } from './reading/shapes.js';
import { ReportingNodesController } from './reporting-nodes/reporting-nodes.controller.js';
import { WorkflowDeletedListener } from './reporting-nodes/workflow-deleted.listener.js';
import { RowsController } from './rows/rows.controller.js';
import { CopySolutionController } from './solutions/copy-solution.controller.js';
import { DiscardCopies } from './solutions/discard-copies.service.js';
import { QuerySolutionController } from './solutions/query/query-solution.controller.js';
import { UnionReader } from './solutions/query/union-reader.js';
import { SolutionsController } from './solutions/solutions.controller.js';
import { SpaceDeletedListener } from './solutions/space-deleted.listener.js';
import { WorkflowCopies } from './solutions/workflow-copies.js';
import { ViewRowsController } from './views/view-rows.controller.js';
import { ViewsController } from './views/views.controller.js';

/** Live Tables and what stands on them. */
@Module({})
export class DatasetsModule {
  static of(env: DatasetsEnv): DynamicModule {
    return {
      module: DatasetsModule,
      controllers: [
        ColumnsController,
        CopySolutionController,
        DatasetsController,
        FolderQueriesController,
        QueryFoldersController,
        ReportingNodesController,
        RowsController,
        QuerySolutionController,
        SolutionsController,
        ValuesController,
        ViewsController,
        ViewRowsController,
      ],
      providers: [
        DiscardCopies,
        Places,
        SpaceDeletedListener,
        UnionReader,
        WorkflowCopies,
        WorkflowDeletedListener,
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        AggregateReader,
        DropLiveJob,
        LiveReader,
        RowCounts,
        RowsReader,
        Shapes,
      ],
    };
  }
}
