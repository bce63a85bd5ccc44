import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { type admin, grantAdmin, listAdmins, revokeAdmin } from '@millrace/contracts/auth/admin/admins';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { requireFreshSession } from '../../sessions/require-fresh-session.js';
import { writeAdminAudit } from '../audit/write-admin-audit.js';
import { addAdmin, lockAdmins, type AdminRow } from './change-admins.js';

/** Who administers the installation. */
@Controller()
export class AdminsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAdmins)
  async list({ query }: Input<typeof listAdmins>): Promise<Result<typeof listAdmins>> {
    const where = { user: searchFilter(query.search, ['email', 'name']) };
    const { instanceAdmin } = this.database.client;
    const columns = { granted_date: 'grantedAt' };
    const [rows, count] = await Promise.all([
      instanceAdmin.findMany({ where, include: { user: true }, ...pageArgs(query, columns, 'userId') }),
      instanceAdmin.count({ where }),
    ]);
    return { results: rows.map(toAdmin), count };
  }

  /** The account must exist. Otherwise a stranger could sign up with the address, and would get the role. */
  @OperationHandler(grantAdmin)
  grant({ body }: Input<typeof grantAdmin>, context: Context): Promise<Result<typeof grantAdmin>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      const granter = await tx.user.findUnique({ where: { id: context.caller.user }, select: { email: true } });
      const added = await addAdmin(tx, body.email, granter?.email ?? null);
      if (!added)
        throw new ApiError('not_found', `No account has the email ${body.email}. The user has to sign up first.`);
      const { user } = added.row;
      const target = { type: 'user', id: user.id, name: user.email } as const;
      if (added.isNew) await writeAdminAudit(tx, { action: 'admin.granted', target }, context);
      return toAdmin(added.row);
    });
  }

  @OperationHandler(revokeAdmin)
  revoke({ params }: Input<typeof revokeAdmin>, context: Context): Promise<Result<typeof revokeAdmin>> {
    return this.database.transaction(async (tx) => {
      await requireFreshSession(tx, context);
      await lockAdmins(tx);
      const where = { userId: params.id };
      const found = isId(params.id) && (await tx.instanceAdmin.findUnique({ where, include: { user: true } }));
      if (!found) throw new ApiError('not_found', `User ${params.id} is not an administrator of this installation.`);
      if ((await tx.instanceAdmin.count()) === 1) {
        throw new ValidationError(
          { id: 'is the last administrator' },
          'The last administrator cannot be revoked over the API. Use `npm run admin` on the server.',
        );
      }
      await tx.instanceAdmin.delete({ where });
      const target = { type: 'user', id: params.id, name: found.user.email } as const;
      await writeAdminAudit(tx, { action: 'admin.revoked', target }, context);
      return { success: true };
    });
  }
}

const toAdmin = ({ user, grantedBy, grantedAt }: AdminRow): z.input<typeof admin> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  mfa_enabled: user.mfaConfirmedAt !== null,
  ...(grantedBy !== null && { granted_by: grantedBy }),
  granted_date: grantedAt.toISOString(),
});
