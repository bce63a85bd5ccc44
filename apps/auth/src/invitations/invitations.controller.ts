import { Controller } from '@nestjs/common';
import { createInvitation, listInvitations, revokeInvitation } from '@millrace/contracts/auth/invitations';
import { ApiError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { DEFAULT_ROLES } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId, newId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { AttemptLimits } from '../limits/attempt-limits.js';
import { type Limit, invitationLimits } from '../limits/limit.js';
import { MailQueue } from '../mail/mail-queue.js';
import { requireRoles } from '../roles/require-roles.js';
import { hashSecret, randomSecret } from '../secrets/random-token.js';
import { lockVault } from '../vaults/lock-vault.js';
import { toInvitation, withStatus } from './to-invitation.js';

const INVITATION_VALID_MS = 7 * 24 * 3_600_000;

/** The invitations of a vault, for its owners. */
@Controller()
export class InvitationsController {
  constructor(
    private readonly database: Database,
    private readonly mail: MailQueue,
    private readonly limits: AttemptLimits,
  ) {}

  @OperationHandler(listInvitations)
  async list({ query }: Input<typeof listInvitations>, { caller }: Context): Promise<Result<typeof listInvitations>> {
    const where = { AND: [inVault(caller), searchFilter(query.search, ['email']), withStatus(query.status)] };
    const { invitation } = this.database.client;
    const [rows, count] = await Promise.all([
      invitation.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      invitation.count({ where }),
    ]);
    return { results: rows.map(toInvitation), count };
  }

  @OperationHandler(createInvitation)
  create({ body }: Input<typeof createInvitation>, context: Context): Promise<Result<typeof createInvitation>> {
    const { email, role } = body;
    const { caller } = context;
    const token = randomSecret();
    return this.database.transaction(async (tx) => {
      const vault = await lockVault(tx, caller.vault);
      if (role !== DEFAULT_ROLES.vault) requireRoles(vault);
      const isMember = await tx.user.count({ where: { email, vaultId: vault.id } });
      if (isMember > 0)
        throw new ValidationError({ 'body.email': 'is the email of a user who is already in the vault' });
      for (const limit of invitationLimits(vault.id, email)) {
        if (!(await this.limits.admitIn(tx, limit))) throw tooManyError(limit);
      }
      const previous = { vaultId: vault.id, email, acceptedAt: null, revokedAt: null };
      await tx.invitation.updateMany({ where: previous, data: { revokedAt: new Date() } });
      const expiresAt = new Date(Date.now() + INVITATION_VALID_MS);
      const created = await tx.invitation.create({
        data: {
          id: newId(),
          vaultId: vault.id,
          email,
          role,
          tokenHash: hashSecret(token),
          invitedBy: caller.user,
          expiresAt,
        },
      });
      const inviter = await tx.user.findUniqueOrThrow({ where: { id: caller.user } });
      this.mail.enqueue(tx, {
        template: 'invitation',
        to: email,
        vault: vault.name,
        invitedBy: inviter.name,
        link: this.mail.linkTo(pagePaths.invitation, { token }),
        expiresAt: expiresAt.toISOString(),
      });
      const target = { type: 'invitation', id: created.id, name: email } as const;
      await writeAuditEntry(tx, {
        ...actorFromCaller(context),
        action: 'invitation.created',
        target,
        details: { role },
      });
      return toInvitation(created);
    });
  }

  @OperationHandler(revokeInvitation)
  revoke({ params }: Input<typeof revokeInvitation>, context: Context): Promise<Result<typeof revokeInvitation>> {
    return this.database.transaction(async (tx) => {
      const where = { id: params.id, ...inVault(context.caller) };
      const found = isId(params.id) ? await tx.invitation.findFirst({ where }) : null;
      if (!found) throw new NotFoundError(`Invitation ${params.id}`);
      const open = { id: found.id, acceptedAt: null, revokedAt: null };
      const { count } = await tx.invitation.updateMany({ where: open, data: { revokedAt: new Date() } });
      if (count === 0) return { success: false };
      const target = { type: 'invitation', id: found.id, name: found.email } as const;
      await writeAuditEntry(tx, { ...actorFromCaller(context), action: 'invitation.revoked', target });
      return { success: true };
    });
  }
}

const tooManyError = ({ windowMs }: Limit): ApiError =>
  new ApiError('rate_limited', `Too many invitations were sent. Try again in ${windowMs / 60_000} minutes.`, {
    retry_after: windowMs / 1000,
  });
