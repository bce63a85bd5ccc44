import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { endOtherSessions, endSession, listSessions, logout, type session } from '@millrace/contracts/auth/sessions';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Session } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionsService, activeSession } from './sessions.service.js';

const SORT_COLUMNS = { created_date: 'createdAt', last_used_date: 'lastUsedAt' };

/** The caller's sessions. */
@Controller()
export class SessionsController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  @OperationHandler(listSessions)
  async list({ query }: Input<typeof listSessions>, { caller }: Context): Promise<Result<typeof listSessions>> {
    const where = {
      userId: caller.user,
      ...activeSession(),
      ...searchFilter(query.search, ['client', 'address', 'agent']),
    };
    const { session } = this.database.client;
    const [rows, count] = await Promise.all([
      session.findMany({ where, ...pageArgs(query, SORT_COLUMNS) }),
      session.count({ where }),
    ]);
    return { results: rows.map((row) => toSession(row, caller.session)), count };
  }

  @OperationHandler(endSession)
  async end({ params }: Input<typeof endSession>, context: Context): Promise<Result<typeof endSession>> {
    if (!isId(params.id)) throw new NotFoundError(`Session ${params.id}`);
    return this.database.transaction(async (tx) => {
      if (!(await this.endOwn(tx, params.id, context))) throw new NotFoundError(`Session ${params.id}`);
      return { success: true };
    });
  }

  @OperationHandler(endOtherSessions)
  async endOthers(_: Input<typeof endOtherSessions>, context: Context): Promise<Result<typeof endOtherSessions>> {
    const { user, session } = context.caller;
    const others = { userId: user, ...activeSession(), ...(session !== undefined && { id: { not: session } }) };
    return this.database.transaction(async (tx) => {
      const { count } = await tx.session.updateMany({ where: others, data: { revokedAt: new Date() } });
      if (count > 0)
        await writeAuditEntry(tx, { ...actorFromCaller(context), action: 'session.ended', details: { others: count } });
      return { success: true, ended: count };
    });
  }

  @OperationHandler(logout)
  async logout({ body }: Input<typeof logout>, context: Context): Promise<Result<typeof logout>> {
    const session = body.refresh === undefined ? context.caller.session : this.refreshTokens.sessionOf(body.refresh);
    if (session === undefined) throw new ValidationError({ 'body.refresh': 'is required with an API token' });
    if (session === null) return { success: false };
    return this.database.transaction(async (tx) => {
      await this.endOwn(tx, session, context);
      const own = await tx.session.count({ where: { id: session, userId: context.caller.user } });
      return { success: own === 1 };
    });
  }

  /** @returns false if it is not an active session of the caller */
  private async endOwn(tx: Transaction, id: string, context: Context): Promise<boolean> {
    const own = await tx.session.count({ where: { id, userId: context.caller.user } });
    const ended = own === 1 && (await this.sessions.end(tx, id));
    if (!ended) return false;
    const target = { type: 'session' as const, id, name: ended.client };
    await writeAuditEntry(tx, { ...actorFromCaller(context), action: 'session.ended', target });
    return true;
  }
}

/** @param currentSession id of the session that made the request, if it was one */
const toSession = (row: Session, currentSession: string | undefined): z.input<typeof session> => ({
  id: row.id,
  client: row.client,
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
  current: row.id === currentSession,
  created_date: row.createdAt.toISOString(),
  last_used_date: row.lastUsedAt.toISOString(),
  expires_date: row.expiresAt.toISOString(),
});
