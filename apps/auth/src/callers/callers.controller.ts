import { Controller } from '@nestjs/common';
import { resolveCaller, resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findCaller } from './find-caller.js';

/** Resolves callers for other services: the user of a credential, or the user in whose name a run starts. */
@Controller()
export class CallersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(resolveCaller)
  async resolve({ body }: Input<typeof resolveCaller>): Promise<Result<typeof resolveCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }

  @OperationHandler(resolveAbsentCaller)
  async resolveAbsent({ body }: Input<typeof resolveAbsentCaller>): Promise<Result<typeof resolveAbsentCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }
}
