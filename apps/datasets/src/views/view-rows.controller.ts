import { Controller } from '@nestjs/common';
import { queryView } from '@millrace/contracts/datasets/views';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { RowsReader } from '../reading/rows-reader.js';
import { Shapes } from '../reading/shapes.js';
import { findView } from './find-view.js';
import { narrowView } from './narrow-view.js';

/** Rows of views. */
@Controller()
export class ViewRowsController {
  constructor(
    private readonly database: Database,
    private readonly shapes: Shapes,
    private readonly rows: RowsReader,
  ) {}

  @Handles(queryView)
  async query({ params, query }: Input<typeof queryView>, context: Context): Promise<Result<typeof queryView>> {
    const view = await findView(this.database.client, params, context);
    const shape = await this.shapes.find(view.datasetId, context);
    return this.rows.answer(shape, narrowView(view, query, shape.columns), context.caller.user);
  }
}
