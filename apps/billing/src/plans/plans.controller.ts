import { Controller } from '@nestjs/common';
import { choosePlan, listPlans } from '@millrace/contracts/billing/plans';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { CustomerRegistry } from '../customers/customer-registry.js';
import { describeCustomer } from '../customers/describe-customer.js';
import { lockCustomer } from '../customers/lock-customer.js';
import { thisMonth } from '../month.js';
import { changePlan } from './change-plan.js';

@Controller()
export class PlansController {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerRegistry,
  ) {}

  @OperationHandler(listPlans)
  async list(_: Input<typeof listPlans>, context: Context): Promise<Result<typeof listPlans>> {
    await this.customers.ensure(context);
    const { client } = this.database;
    const [plans, customer] = await Promise.all([
      client.plan.findMany({ orderBy: [{ position: 'asc' }, { name: 'asc' }] }),
      client.customer.findUnique({ where: inVault(context.caller) }),
    ]);
    return {
      results: plans.map(({ name, title, description, monthlyCredits, maxRunningSubjobs, maxActiveRuns, ...plan }) => ({
        id: name,
        name: title,
        description,
        ...(monthlyCredits !== null && { monthly_credits: monthlyCredits }),
        ...(maxRunningSubjobs !== null && { max_running_subjobs: maxRunningSubjobs }),
        ...(maxActiveRuns !== null && { max_active_runs: maxActiveRuns }),
        roles: plan.roles,
        open: plan.open,
        current: name === customer?.plan,
      })),
    };
  }

  @OperationHandler(choosePlan)
  async choose({ body }: Input<typeof choosePlan>, context: Context): Promise<Result<typeof choosePlan>> {
    await this.customers.ensure(context);
    const { user, vault } = context.caller;
    return this.database.transaction(async (tx) => {
      const customer = await lockCustomer(tx, vault);
      await changePlan(tx, customer, { plan: body.plan, user, client: clientFields(context.envelope) }, thisMonth());
      return describeCustomer(tx, vault, thisMonth());
    });
  }
}
