import { Controller } from '@nestjs/common';
import { resetSignIn, resumeUser, suspendUser } from '@millrace/contracts/auth/admin/admin-users';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { revokeInvitationsBy } from '../../invitations/revoke-invitations.js';
import { accountLimit, firstCodeLimit, passwordLimit } from '../../limits/limit.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { type AdminAct, writeAdminAudit } from '../audit/write-admin-audit.js';
import { requireUser } from './admin-users.controller.js';
import { type AdminUserRow, describeUsers, withVaultAndRole } from './describe-users.js';

/** Ends and restores the access of users, for administrators of the installation. */
@Controller()
export class SuspendedUsersController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
  ) {}

  /** A suspended user is disabled as well, with the same time, so that everything that refuses disabled users refuses them. */
  @OperationHandler(suspendUser)
  suspend({ params, body }: Input<typeof suspendUser>, context: Context): Promise<Result<typeof suspendUser>> {
    if (params.id === context.caller.user) {
      throw new ValidationError(
        { id: 'is your own account' },
        'You cannot suspend yourself. Ask another administrator.',
      );
    }
    return this.change(params.id, async (tx, user) => {
      if (user.suspendedAt) return;
      const now = new Date();
      await this.sessions.endAll(tx, user.id);
      await revokeInvitationsBy(tx, user.id);
      await tx.adminToken.deleteMany({ where: { userId: user.id } });
      const ended = { disabledAt: user.disabledAt ?? now, tokenHash: null, tokenPrefix: null };
      const data = { suspendedAt: now, suspendedReason: body.reason, ...ended };
      await tx.user.update({ where: { id: user.id }, data });
      await writeAdminAudit(tx, actOn(user, 'user.suspended', { reason: body.reason }), context);
    });
  }

  @OperationHandler(resumeUser)
  resume({ params }: Input<typeof resumeUser>, context: Context): Promise<Result<typeof resumeUser>> {
    return this.change(params.id, async (tx, user) => {
      if (!user.suspendedAt) return;
      // An owner of the vault disabled the user before the suspension.
      const wasDisabled = user.disabledAt !== null && user.disabledAt.getTime() !== user.suspendedAt.getTime();
      const data = { suspendedAt: null, suspendedReason: null, ...(!wasDisabled && { disabledAt: null }) };
      await tx.user.update({ where: { id: user.id }, data });
      await writeAdminAudit(tx, actOn(user, 'user.resumed'), context);
    });
  }

  @OperationHandler(resetSignIn)
  reset({ params }: Input<typeof resetSignIn>, context: Context): Promise<Result<typeof resetSignIn>> {
    return this.database.transaction(async (tx) => {
      const user = await lockAnyUser(tx, params.id);
      const limits = [accountLimit(user.email), passwordLimit(user.id), firstCodeLimit(user.id)];
      const where = { subject: { in: limits.map(({ subject }) => subject) } };
      const { count } = await tx.countedAttempt.deleteMany({ where });
      await writeAdminAudit(tx, actOn(user, 'user.sign_in_reset', { cleared: count }), context);
      return { success: true, cleared: count };
    });
  }

  private change(
    id: string,
    work: (tx: Transaction, user: AdminUserRow) => Promise<void>,
  ): Promise<Result<typeof resumeUser>> {
    return this.database.transaction(async (tx) => {
      await work(tx, await lockAnyUser(tx, id));
      const row = await tx.user.findUnique({ where: { id }, include: withVaultAndRole });
      const [described] = await describeUsers(tx, [requireUser(row, id)]);
      return described as Result<typeof resumeUser>;
    });
  }
}

/** Locks a user until the transaction ends, disabled or not. @throws ApiError `not_found` */
async function lockAnyUser(tx: Transaction, id: string): Promise<AdminUserRow> {
  if (!isId(id)) return requireUser(null, id);
  await tx.$queryRaw`SELECT 1 FROM auth."user" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return requireUser(await tx.user.findUnique({ where: { id }, include: withVaultAndRole }), id);
}

const actOn = (user: AdminUserRow, action: AdminAct['action'], details?: AdminAct['details']): AdminAct => ({
  action,
  target: { type: 'user', id: user.id, name: user.email },
  ...(details && { details }),
});
