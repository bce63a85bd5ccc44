import { Controller } from '@nestjs/common';
import { describeVault, getVault } from '@millrace/contracts/auth/vaults';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

@Controller()
export class VaultsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(getVault)
  async get(_: Input<typeof getVault>, { caller }: Context): Promise<Result<typeof getVault>> {
    const row = await this.database.client.vault.findUnique({ where: { id: caller.vault } });
    if (!row) throw notFoundError(caller.vault);
    const { id, name, plan } = row;
    return { id, name, plan, role: caller.vaultRole, created_date: row.createdAt.toISOString() };
  }

  @OperationHandler(describeVault)
  async describe({ body }: Input<typeof describeVault>): Promise<Result<typeof describeVault>> {
    const users = { where: { disabledAt: null }, select: { id: true }, orderBy: { id: 'asc' } } as const;
    const found = await this.database.client.vault.findUnique({ where: { id: body.vault }, include: { users } });
    if (!found) throw notFoundError(body.vault);
    return { name: found.name, plan: found.plan, users: found.users.map(({ id }) => id) };
  }
}

const notFoundError = (id: string): ApiError => new ApiError('not_found', `Vault ${id} does not exist.`);
