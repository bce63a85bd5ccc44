import { Injectable } from '@nestjs/common';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { addCustomers } from './add-customers.js';

/** Creates the customer of a vault if it does not exist. */
@Injectable()
export class CustomerRegistry {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /** Creates the customer of the caller's vault if the event of the vault's creation has not arrived yet. */
  async ensure({ caller, envelope }: Context): Promise<void> {
    const customer = await this.database.client.customer.findUnique({
      where: inVault(caller),
      select: { vaultId: true },
    });
    if (customer) return;
    const { name, plan } = await this.rpc.call(describeVault, { vault: caller.vault }, envelope);
    await this.database.transaction((tx) => addCustomers(tx, [{ vault: caller.vault, name, plan }]));
  }
}
