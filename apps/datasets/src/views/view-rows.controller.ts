import { Controller } from '@nestjs/common';
import { queryView } from '@millrace/contracts/datasets/views';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Column } from '@millrace/query/fields/column';
import { RequestDeduplicator } from '../concurrency/request-deduplicator.js';
import { RowsReader } from '../reading/rows-reader.js';
import { ShapeCache } from '../reading/shape-cache.js';
import { findView } from './find-view.js';
import { joinQueries, checkSavedQuery, type SavedQuery } from './saved-query.js';

/** Rows of views. */
@Controller()
export class ViewRowsController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
    private readonly rows: RowsReader,
    private readonly deduplicator: RequestDeduplicator,
  ) {}

  @OperationHandler(queryView)
  async query({ params, query }: Input<typeof queryView>, context: Context): Promise<Result<typeof queryView>> {
    const view = await findView(this.database.client, params, context);
    const shape = await this.shapes.find(view.datasetId, context);
    const narrowed = narrowView(view, query, shape.columns);
    return this.deduplicator.run('view', context, () => this.rows.read(shape, narrowed, context.caller.user));
  }
}

type ViewQuery = Input<typeof queryView>['query'];

/**
 * Combines a view with the query on it: rows match both conditions, and the query's `select` and `order`, if present,
 * replace the view's. Both conditions are checked separately first. So neither can change the meaning of the other, and
 * the position of an error refers to the text that its author wrote.
 * @throws ValidationError
 */
function narrowView(view: SavedQuery, query: ViewQuery, columns: readonly Column[]): ViewQuery {
  checkSavedQuery(
    { q: view.q, select: query.select ? '' : view.select, order: query.order ? '' : view.order },
    columns,
    'view',
  );
  checkSavedQuery(query, columns, 'query');
  return {
    ...query,
    q: joinQueries(view.q, query.q, 'query.q'),
    select: query.select || view.select,
    order: query.order || view.order,
  };
}
