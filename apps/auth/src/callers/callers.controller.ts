import { Controller } from '@nestjs/common';
import { resolveCaller, standInFor } from '@millrace/contracts/auth/callers';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { findCaller } from './find-caller.js';

/** What others ask to find out who is calling, or in whose name something runs. */
@Controller()
export class CallersController {
  constructor(private readonly database: Database) {}

  @Handles(resolveCaller)
  async resolve({ body }: Input<typeof resolveCaller>): Promise<Result<typeof resolveCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }

  @Handles(standInFor)
  async standIn({ body }: Input<typeof standInFor>): Promise<Result<typeof standInFor>> {
    return { caller: await findCaller(this.database.client, body) };
  }
}
