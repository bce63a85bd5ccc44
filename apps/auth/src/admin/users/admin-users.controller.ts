import { Controller } from '@nestjs/common';
import { getAdminUser, listAdminUsers, type USER_STATES } from '@millrace/contracts/auth/admin/admin-users';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { type AdminUserRow, describeUsers, withVaultAndRole } from './describe-users.js';

const STATE_FILTERS = {
  active: { disabledAt: null },
  disabled: { disabledAt: { not: null }, suspendedAt: null },
  suspended: { suspendedAt: { not: null } },
} as const satisfies Record<(typeof USER_STATES)[number], object>;

/** The users of all vaults, for administrators of the installation. */
@Controller()
export class AdminUsersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAdminUsers)
  async list({ query }: Input<typeof listAdminUsers>): Promise<Result<typeof listAdminUsers>> {
    const { client } = this.database;
    const where = {
      ...searchFilter(query.search, ['email', 'name']),
      ...(query.vault !== undefined && { vaultId: query.vault }),
      ...(query.state !== undefined && STATE_FILTERS[query.state]),
    };
    const [rows, count] = await Promise.all([
      client.user.findMany({ where, include: withVaultAndRole, ...pageArgs(query, { created_date: 'createdAt' }) }),
      client.user.count({ where }),
    ]);
    return { results: await describeUsers(client, rows), count };
  }

  @OperationHandler(getAdminUser)
  async get({ params }: Input<typeof getAdminUser>): Promise<Result<typeof getAdminUser>> {
    const { client } = this.database;
    const where = { id: params.id };
    const row = isId(params.id) ? await client.user.findUnique({ where, include: withVaultAndRole }) : null;
    const [described] = await describeUsers(client, [requireUser(row, params.id)]);
    return described as Result<typeof getAdminUser>;
  }
}

/** @throws ApiError `not_found` */
export function requireUser(row: AdminUserRow | null, id: string): AdminUserRow {
  if (!row) throw new ApiError('not_found', `User ${id} does not exist.`);
  return row;
}
