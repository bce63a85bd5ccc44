import { Controller } from '@nestjs/common';
import { getAdminVault, listAdminVaults } from '@millrace/contracts/auth/admin/admin-vaults';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Vault } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { describeVaults } from './describe-vaults.js';
import { VaultUsage } from './vault-usage.js';

/** All vaults with their numbers, for administrators of the installation. */
@Controller()
export class AdminVaultsController {
  constructor(
    private readonly database: Database,
    private readonly usage: VaultUsage,
  ) {}

  @OperationHandler(listAdminVaults)
  async list({ query }: Input<typeof listAdminVaults>): Promise<Result<typeof listAdminVaults>> {
    const { client } = this.database;
    const suspendedAt = query.state === 'suspended' ? { not: null } : null;
    const where = { ...searchFilter(query.search, ['name']), ...(query.state !== undefined && { suspendedAt }) };
    const [rows, count] = await Promise.all([
      client.vault.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      client.vault.count({ where }),
    ]);
    const usage = await this.usage.measure(rows.map(({ id }) => id));
    return { results: await describeVaults(client, rows, usage), count };
  }

  @OperationHandler(getAdminVault)
  async get({ params }: Input<typeof getAdminVault>): Promise<Result<typeof getAdminVault>> {
    const { client } = this.database;
    const found = isId(params.id) ? await client.vault.findUnique({ where: { id: params.id } }) : null;
    const row = requireVault(found, params.id);
    const [described] = await describeVaults(client, [row], await this.usage.measure([row.id]));
    return described as Result<typeof getAdminVault>;
  }
}

/** @throws ApiError `not_found` */
export function requireVault(row: Vault | null, id: string): Vault {
  if (!row) throw new ApiError('not_found', `Vault ${id} does not exist.`);
  return row;
}
