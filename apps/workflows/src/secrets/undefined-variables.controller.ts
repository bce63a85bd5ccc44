import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { definedFor, keysOf } from './defined-for.js';

/** Finds out before a run starts what it would lack; reads no value. */
@Controller()
export class UndefinedVariablesController {
  constructor(private readonly database: Database) {}

  @Handles(findUndefinedVariables)
  async find({ body }: Input<typeof findUndefinedVariables>): Promise<Result<typeof findUndefinedVariables>> {
    const rows = await this.database.client.$queryRaw<
      { key: string }[]
    >`SELECT DISTINCT k.key FROM ${definedFor(body)}`;
    const defined = new Set(rows.map(({ key }) => key));
    return { missing: keysOf(body).flatMap(({ key }) => (defined.has(key) ? [] : [key])) };
  }
}
