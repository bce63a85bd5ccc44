import { Injectable } from '@nestjs/common';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { addCustomers } from './add-customers.js';

/** The caller's vault as a customer. */
@Injectable()
export class CustomerRegistry {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /** Sees to it that there is one: the word that the vault was made may still be under way. */
  async ensure({ caller, envelope }: Context): Promise<void> {
    const found = await this.database.client.customer.findUnique({ where: inVault(caller), select: { vaultId: true } });
    if (found) return;
    const { name, plan } = await this.rpc.call(describeVault, { vault: caller.vault }, envelope);
    await this.database.transaction((tx) => addCustomers(tx, [{ vault: caller.vault, name, plan }]));
  }
}
