import { Controller } from '@nestjs/common';
import { queryView } from '@millrace/contracts/datasets/views';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { RequestDeduplicator } from '../concurrency/request-deduplicator.js';
import { RowsReader } from '../reading/rows-reader.js';
import { ShapeCache } from '../reading/shape-cache.js';
import { findView } from './find-view.js';
import { narrowView } from './narrow-view.js';

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
