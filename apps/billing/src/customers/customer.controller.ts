import { Controller } from '@nestjs/common';
import { getCustomer } from '@millrace/contracts/billing/customer';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';
import { Customers } from './customers.js';
import { describeCustomer } from './describe-customer.js';

@Controller()
export class CustomerController {
  constructor(
    private readonly database: Database,
    private readonly customers: Customers,
  ) {}

  @Handles(getCustomer)
  async get(_: Input<typeof getCustomer>, context: Context): Promise<Result<typeof getCustomer>> {
    await this.customers.ensure(context);
    return describeCustomer(this.database.client, context.caller.vault, thisMonth());
  }
}
