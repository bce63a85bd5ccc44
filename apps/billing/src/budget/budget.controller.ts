import { Controller } from '@nestjs/common';
import { getBudget, setBudget } from '@millrace/contracts/billing/budget';
import type { Restriction } from '@millrace/contracts/billing/restriction';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { Customer } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { CustomerRegistry } from '../customers/customer-registry.js';
import { lockCustomer } from '../customers/lock-customer.js';
import { thisMonth } from '../month.js';
import { changeBudget } from './change-budget.js';

@Controller()
export class BudgetController {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerRegistry,
  ) {}

  @OperationHandler(getBudget)
  async get(_: Input<typeof getBudget>, context: Context): Promise<Result<typeof getBudget>> {
    await this.customers.ensure(context);
    const customer = await this.database.client.customer.findUnique({ where: inVault(context.caller) });
    if (!customer) throw new NotFoundError(`Customer ${context.caller.vault}`);
    return toBudget(customer);
  }

  @OperationHandler(setBudget)
  async set({ body }: Input<typeof setBudget>, context: Context): Promise<Result<typeof setBudget>> {
    await this.customers.ensure(context);
    const { cloud_usage_limit: limit, stop_running: stopRunning } = body;
    const request = { limit, stopRunning, user: context.caller.user, client: clientFields(context.envelope) };
    return this.database.transaction(async (tx) => {
      const { vaultId } = await lockCustomer(tx, context.caller.vault);
      await changeBudget(tx, vaultId, request, thisMonth());
      return toBudget(await tx.customer.findUniqueOrThrow({ where: { vaultId } }));
    });
  }
}

const toBudget = ({ usageLimit, stopRunning, restriction }: Customer): Result<typeof getBudget> => ({
  ...(usageLimit !== null && { cloud_usage_limit: Number(usageLimit) }),
  stop_running: stopRunning,
  ...(restriction !== null && { restriction: restriction as Restriction }),
});
