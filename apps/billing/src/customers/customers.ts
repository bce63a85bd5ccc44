import { Injectable } from '@nestjs/common';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { NotFound } from '@millrace/contracts/kit/api-error';
import { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { addCustomers } from './add-customers.js';

/** The caller's vault as a customer. */
@Injectable()
export class Customers {
  constructor(
    private readonly database: Database,
    private readonly asker: Asker,
  ) {}

  /** Sees to it that there is one: the word that the vault was made may still be under way. */
  async ensure({ caller, envelope }: Context): Promise<void> {
    const found = await this.database.client.customer.findUnique({ where: inVault(caller), select: { vaultId: true } });
    if (found) return;
    const { name, plan } = await this.asker.ask(describeVault, { vault: caller.vault }, envelope);
    await this.database.transaction((tx) => addCustomers(tx, [{ vault: caller.vault, name, plan }]));
  }

  /** Locked until the end of the transaction, for a change of what it may use. */
  async lock(tx: Transaction, { caller }: Context): Promise<Customer> {
    await tx.$queryRaw`SELECT 1 FROM billing.customer WHERE vault_id = ${caller.vault}::uuid FOR UPDATE`;
    const customer = await tx.customer.findUnique({ where: inVault(caller) });
    if (!customer) throw new NotFound('Customer');
    return customer;
  }
}
