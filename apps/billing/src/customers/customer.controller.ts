import { Controller } from '@nestjs/common';
import { getCustomer } from '@millrace/contracts/billing/customer';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';
import { CustomerRegistry } from './customer-registry.js';
import { describeCustomer } from './describe-customer.js';

@Controller()
export class CustomerController {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerRegistry,
  ) {}

  @OperationHandler(getCustomer)
  async get(_: Input<typeof getCustomer>, context: Context): Promise<Result<typeof getCustomer>> {
    await this.customers.ensure(context);
    return describeCustomer(this.database.client, context.caller.vault, thisMonth());
  }
}
