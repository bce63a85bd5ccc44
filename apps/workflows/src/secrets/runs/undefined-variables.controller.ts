import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { listUndefinedKeys } from './list-undefined-keys.js';

/** Finds the variables that a run would lack, before it starts. */
@Controller()
export class UndefinedVariablesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(findUndefinedVariables)
  async find({ body }: Input<typeof findUndefinedVariables>): Promise<Result<typeof findUndefinedVariables>> {
    return { missing: await listUndefinedKeys(this.database.client, body) };
  }
}
