import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import {
  createJoinToken,
  type joinToken,
  listJoinTokens,
  revokeJoinToken,
} from '@millrace/contracts/auth/admin/join-tokens';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { JoinToken } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { writeAdminAudit } from '../admin/audit/write-admin-audit.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { hashSecret, randomApiToken } from '../secrets/random-token.js';
import { readPlacement } from './choose-grant.js';
import { readJoinServers } from './read-join-servers.js';

const HOUR_MS = 3_600_000;
/** Characters of a token that are stored in clear, so that administrators can recognize it. */
const PREFIX_LENGTH = 6;

/** Tokens with which workers on other machines join. */
@Controller()
export class JoinTokensController {
  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @OperationHandler(listJoinTokens)
  async list({ query }: Input<typeof listJoinTokens>): Promise<Result<typeof listJoinTokens>> {
    const where = searchFilter(query.search, ['name', 'fleet']);
    const { joinToken: table } = this.database.client;
    const columns = { created_date: 'createdAt', expires_date: 'expiresAt' };
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, columns) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toToken), count };
  }

  @OperationHandler(createJoinToken)
  create({ body }: Input<typeof createJoinToken>, context: Context): Promise<Result<typeof createJoinToken>> {
    readJoinServers(this.env);
    const token = randomApiToken();
    const { name, fleet, labels, sizes, max_uses: maxUses, hours } = body;
    return this.database.transaction(async (tx) => {
      const creator = await tx.user.findUnique({ where: { id: context.caller.user }, select: { email: true } });
      const row = await tx.joinToken.create({
        data: {
          ...{ id: newId(), name, fleet, labels, sizes, maxUses, createdBy: creator?.email ?? null },
          ...{ tokenHash: hashSecret(token), prefix: token.slice(0, PREFIX_LENGTH) },
          expiresAt: new Date(Date.now() + hours * HOUR_MS),
        },
      });
      const details = { fleet, labels, sizes, max_uses: maxUses, hours };
      await writeAdminAudit(tx, { action: 'join_token.created', target: targetOf(row), details }, context);
      return { ...toToken(row), token };
    });
  }

  /** If it is revoked already, nothing changes. */
  @OperationHandler(revokeJoinToken)
  revoke({ params }: Input<typeof revokeJoinToken>, context: Context): Promise<Result<typeof revokeJoinToken>> {
    return this.database.transaction(async (tx) => {
      const where = { id: params.id };
      const found = isId(params.id) ? await tx.joinToken.findUnique({ where }) : null;
      if (!found) throw new NotFoundError(`Join token ${params.id}`);
      const { count } = await tx.joinToken.updateMany({
        where: { ...where, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      if (count > 0) await writeAdminAudit(tx, { action: 'join_token.revoked', target: targetOf(found) }, context);
      return toToken(await tx.joinToken.findUniqueOrThrow({ where }));
    });
  }
}

const targetOf = ({ id, name }: JoinToken) => ({ type: 'join_token', id, name }) as const;

/** Why a token admits no more workers; `active` if it does. */
export function stateOf(token: JoinToken, now = new Date()): z.input<typeof joinToken>['state'] {
  if (token.revokedAt) return 'revoked';
  if (token.expiresAt <= now) return 'expired';
  return token.uses >= token.maxUses ? 'used_up' : 'active';
}

const toToken = (row: JoinToken): z.input<typeof joinToken> => ({
  ...{ id: row.id, name: row.name, prefix: row.prefix },
  ...readPlacement(row),
  ...{ uses: row.uses, max_uses: row.maxUses, state: stateOf(row) },
  ...(row.createdBy !== null && { created_by: row.createdBy }),
  created_date: row.createdAt.toISOString(),
  expires_date: row.expiresAt.toISOString(),
});
