import { Controller } from '@nestjs/common';
import { queryRows } from '@millrace/contracts/datasets/rows';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { RowsReader } from '../reading/rows-reader.js';
import { Shapes } from '../reading/shapes.js';

@Controller()
export class RowsController {
  constructor(
    private readonly shapes: Shapes,
    private readonly rows: RowsReader,
  ) {}

  @Handles(queryRows)
  async query({ params, query }: Input<typeof queryRows>, context: Context): Promise<Result<typeof queryRows>> {
    const shape = await this.shapes.find(params.id, context);
    return this.rows.answer(shape, query, context.caller.user);
  }
}
