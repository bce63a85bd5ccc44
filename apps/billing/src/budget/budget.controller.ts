import { Controller } from '@nestjs/common';
import { budgetChanged, getBudget, setBudget } from '@millrace/contracts/billing/budget';
import type { Restriction } from '@millrace/contracts/billing/restriction';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { Customers } from '../customers/customers.js';
import { thisMonth } from '../month.js';
import { judgeVaults } from '../restrictions/judge-vaults.js';

@Controller()
export class BudgetController {
  constructor(
    private readonly database: Database,
    private readonly customers: Customers,
  ) {}

  @Handles(getBudget)
  async get(_: Input<typeof getBudget>, context: Context): Promise<Result<typeof getBudget>> {
    await this.customers.ensure(context);
    const customer = await this.database.client.customer.findUnique({ where: inVault(context.caller) });
    if (!customer) throw new NotFound('Customer');
    return toBudget(customer);
  }

  @Handles(setBudget)
  async set({ body }: Input<typeof setBudget>, context: Context): Promise<Result<typeof setBudget>> {
    await this.customers.ensure(context);
    const { caller, envelope } = context;
    const { cloud_usage_limit: limit, stop_running: stopRunning } = body;
    return this.database.transaction(async (tx) => {
      const { vaultId } = await this.customers.lock(tx, context);
      const usageLimit = limit === null ? null : BigInt(limit);
      await tx.customer.update({ where: { vaultId }, data: { usageLimit, stopRunning } });
      tx.emit(budgetChanged, {
        ...{ vault: vaultId, limit, stopRunning, user: caller.user },
        ...(envelope.client && { address: envelope.client.address }),
      });
      await judgeVaults(tx, [vaultId], thisMonth());
      return toBudget(await tx.customer.findUniqueOrThrow({ where: { vaultId } }));
    });
  }
}

const toBudget = ({ usageLimit, stopRunning, restriction }: Customer): Result<typeof getBudget> => ({
  ...(usageLimit !== null && { cloud_usage_limit: Number(usageLimit) }),
  stop_running: stopRunning,
  ...(restriction !== null && { restriction: restriction as Restriction }),
});
