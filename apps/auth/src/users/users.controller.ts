import { Controller } from '@nestjs/common';
import { getMe, regenerateToken, updateMe } from '@millrace/contracts/auth/users';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { hashSecret, randomApiToken } from '../secrets/random-token.js';
import { toUser } from './to-user.js';

/** Characters of an API token that are stored in clear, so that a user can recognize it. */
const PREFIX_LENGTH = 6;

@Controller()
export class UsersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(getMe)
  async me(_: Input<typeof getMe>, { caller }: Context): Promise<Result<typeof getMe>> {
    const where = { id: caller.user };
    const row = await this.database.client.user.findUnique({ where, include: { instanceAdmin: true } });
    if (!row) throw new NotFoundError(`User ${caller.user}`);
    return toUser(row);
  }

  @OperationHandler(updateMe)
  async update({ body }: Input<typeof updateMe>, { caller }: Context): Promise<Result<typeof updateMe>> {
    return this.database.transaction(async (tx) => {
      const data = body.name === undefined ? {} : { name: body.name };
      const where = { id: caller.user };
      const { count } = await tx.user.updateMany({ where, data });
      if (count === 0) throw new NotFoundError(`User ${caller.user}`);
      return toUser(await tx.user.findUniqueOrThrow({ where, include: { instanceAdmin: true } }));
    });
  }

  @OperationHandler(regenerateToken)
  async regenerateToken(_: Input<typeof regenerateToken>, context: Context): Promise<Result<typeof regenerateToken>> {
    const token = randomApiToken();
    const prefix = token.slice(0, PREFIX_LENGTH);
    return this.database.transaction(async (tx) => {
      const data = { tokenHash: hashSecret(token), tokenPrefix: prefix };
      const { count } = await tx.user.updateMany({ where: { id: context.caller.user }, data });
      if (count === 0) throw new NotFoundError(`User ${context.caller.user}`);
      await writeAuditEntry(tx, { ...actorFromCaller(context), action: 'api_token.regenerated', details: { prefix } });
      return { token, prefix };
    });
  }
}
