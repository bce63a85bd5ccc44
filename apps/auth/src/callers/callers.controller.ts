import { Controller } from '@nestjs/common';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { findCaller } from './find-caller.js';

/** What the gateway asks to find out who is calling. */
@Controller()
export class CallersController {
  constructor(private readonly database: Database) {}

  @Handles(resolveCaller)
  async resolve({ body }: Input<typeof resolveCaller>): Promise<Result<typeof resolveCaller>> {
    return { caller: await findCaller(this.database.client, body) };
  }
}
