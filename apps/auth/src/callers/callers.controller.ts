import { Controller } from '@nestjs/common';
import { resolveCaller, resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findCaller } from './find-caller.js';

/** What others ask to find out who is calling, or in whose name something runs. */
@Controller()
export class CallersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(resolveCaller)
  async resolve({ body }: Input<typeof resolveCaller>): Promise<Result<typeof resolveCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }

  @OperationHandler(resolveAbsentCaller)
  async standIn({ body }: Input<typeof resolveAbsentCaller>): Promise<Result<typeof resolveAbsentCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }
}
