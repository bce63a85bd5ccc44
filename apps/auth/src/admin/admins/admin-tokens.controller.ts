import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import {
  type adminToken,
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '@millrace/contracts/auth/admin/admin-tokens';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { AdminToken } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { hashSecret, randomApiToken } from '../../secrets/random-token.js';
import { requireFreshSession } from '../../sessions/require-fresh-session.js';
import { writeAdminAudit } from '../audit/write-admin-audit.js';

const DAY_MS = 86_400_000;
/** Characters of a token that are stored in clear, so that its owner can recognize it. */
const PREFIX_LENGTH = 6;

/** Tokens with which scripts administer the installation. They can do nothing inside a vault. */
@Controller()
export class AdminTokensController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAdminTokens)
  async list({ query }: Input<typeof listAdminTokens>, { caller }: Context): Promise<Result<typeof listAdminTokens>> {
    const active = { userId: caller.user, expiresAt: { gt: new Date() } };
    const where = { ...active, ...searchFilter(query.search, ['name']) };
    const { adminToken: table } = this.database.client;
    const columns = { created_date: 'createdAt', expires_date: 'expiresAt' };
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, columns) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toToken), count };
  }

  @OperationHandler(createAdminToken)
  create({ body }: Input<typeof createAdminToken>, context: Context): Promise<Result<typeof createAdminToken>> {
    const token = randomApiToken();
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const row = await tx.adminToken.create({
        data: {
          ...{ id: newId(), userId: context.caller.user, name: body.name, scope: body.scope },
          ...{ tokenHash: hashSecret(token), prefix: token.slice(0, PREFIX_LENGTH) },
          expiresAt: new Date(Date.now() + body.days * DAY_MS),
        },
      });
      const target = { type: 'admin_token', id: row.id, name: row.name } as const;
      const details = { scope: row.scope, days: body.days };
      await writeAdminAudit(tx, { action: 'admin_token.created', target, details }, context);
      return { ...toToken(row), token };
    });
  }

  @OperationHandler(revokeAdminToken)
  revoke({ params }: Input<typeof revokeAdminToken>, context: Context): Promise<Result<typeof revokeAdminToken>> {
    return this.database.transaction(async (tx) => {
      const where = { id: params.id, userId: context.caller.user };
      const found = isId(params.id) ? await tx.adminToken.findFirst({ where }) : null;
      if (!found) throw new ApiError('not_found', `You have no admin token ${params.id}.`);
      await tx.adminToken.delete({ where: { id: found.id } });
      const target = { type: 'admin_token', id: found.id, name: found.name } as const;
      await writeAdminAudit(tx, { action: 'admin_token.revoked', target }, context);
      return { success: true };
    });
  }
}

const toToken = (row: AdminToken): z.input<typeof adminToken> => ({
  id: row.id,
  name: row.name,
  scope: row.scope as 'read' | 'write',
  prefix: row.prefix,
  created_date: row.createdAt.toISOString(),
  expires_date: row.expiresAt.toISOString(),
});
