import { Controller } from '@nestjs/common';
import { leaveVault, listMembers, memberLeft, removeMember, updateMember } from '@millrace/contracts/auth/members';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { type NewAuditEntry, actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { revokeInvitationsBy } from '../invitations/revoke-invitations.js';
import { requireAnotherOwner } from '../roles/require-another-owner.js';
import { requireFreshSession } from '../sessions/require-fresh-session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { lockVault } from '../vaults/lock-vault.js';
import { type FullMember, findMember, toMember, withTeams } from './find-member.js';

/** The users of a vault, for its administrators. */
@Controller()
export class MembersController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
  ) {}

  @OperationHandler(listMembers)
  async list({ query }: Input<typeof listMembers>, { caller }: Context): Promise<Result<typeof listMembers>> {
    const where = { ...inVault(caller), ...searchFilter(query.search, ['name', 'email']) };
    const { user } = this.database.client;
    const [rows, count] = await Promise.all([
      user.findMany({ where, include: withTeams, ...pageArgs(query, { created_date: 'createdAt' }) }),
      user.count({ where }),
    ]);
    return { results: rows.map(toMember), count };
  }

  @OperationHandler(updateMember)
  update({ params, body }: Input<typeof updateMember>, context: Context): Promise<Result<typeof updateMember>> {
    return this.change(params.id, context, async (tx, user) => {
      const disabled = body.disabled ?? user.disabledAt !== null;
      if (disabled === (user.disabledAt !== null)) return toMember(user);
      if (user.suspendedAt) {
        throw new ForbiddenError(
          'An administrator of this server has suspended the user, and only an administrator can resume them.',
        );
      }
      if (disabled) await this.endAccess(tx, user, 'user.disabled', context);
      else await audit(tx, user, 'user.enabled', context);
      const data = disabled ? { disabledAt: new Date(), tokenHash: null, tokenPrefix: null } : { disabledAt: null };
      return toMember(await tx.user.update({ where: { id: user.id }, data, include: withTeams }));
    });
  }

  @OperationHandler(removeMember)
  remove({ params }: Input<typeof removeMember>, context: Context): Promise<null> {
    return this.change(params.id, context, (tx, user) => this.delete(tx, user, 'user.removed', context));
  }

  @OperationHandler(leaveVault)
  leave(_: Input<typeof leaveVault>, context: Context): Promise<null> {
    return this.change(context.caller.user, context, async (tx, user) => {
      await requireFreshSession(tx, context);
      return this.delete(tx, user, 'user.left', context);
    });
  }

  private change<T>(id: string, context: Context, work: (tx: Transaction, user: FullMember) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await lockVault(tx, context.caller.vault);
      return work(tx, await findMember(tx, id, context.caller));
    });
  }

  private async delete(
    tx: Transaction,
    user: FullMember,
    action: NewAuditEntry['action'],
    context: Context,
  ): Promise<null> {
    await this.endAccess(tx, user, action, context);
    await tx.user.delete({ where: { id: user.id } });
    tx.emit(memberLeft, { vault: user.vaultId, user: user.id });
    return null;
  }

  /** Ends a user's sessions and open invitations before they are disabled or removed. */
  private async endAccess(
    tx: Transaction,
    user: FullMember,
    action: NewAuditEntry['action'],
    context: Context,
  ): Promise<void> {
    if (user.vaultRole === 'owner') await requireAnotherOwner(tx, user.vaultId, user.id);
    await this.sessions.endAll(tx, user.id);
    await revokeInvitationsBy(tx, user.id);
    await audit(tx, user, action, context);
  }
}

const audit = (tx: Transaction, user: FullMember, action: NewAuditEntry['action'], context: Context): Promise<void> =>
  writeAuditEntry(tx, { ...actorFromCaller(context), action, target: { type: 'user', id: user.id, name: user.email } });
