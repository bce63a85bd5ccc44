import { Module, type DynamicModule } from '@nestjs/common';
import { LedgerOfRunsController } from './admin/ledger-of-runs.controller.js';
import { MeasureVaultsController } from './admin/measure-vaults.controller.js';
import { BudgetController } from './budget/budget.controller.js';
import { CustomerRegistry } from './customers/customer-registry.js';
import { CustomerController } from './customers/customer.controller.js';
import { VaultCreatedListener } from './customers/vault-created.listener.js';
import type { BillingEnv } from './env.js';
import { SubjobsFinishedListener } from './ledger/subjobs-finished.listener.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PlansController } from './plans/plans.controller.js';
import { RestrictionSweepService } from './restrictions/restriction-sweep.service.js';
import { USAGE_DETAIL_MONTHS, UsageRollUpService } from './roll-up/usage-roll-up.service.js';
import { UsageNames } from './usage/usage-names.js';
import { UsageController } from './usage/usage.controller.js';

@Module({})
export class BillingModule {
  static of(env: BillingEnv): DynamicModule {
    return {
      module: BillingModule,
      imports: [PaymentsModule.of(env)],
      controllers: [
        MeasureVaultsController,
        LedgerOfRunsController,
        BudgetController,
        CustomerController,
        PlansController,
        UsageController,
      ],
      providers: [
        { provide: USAGE_DETAIL_MONTHS, useValue: env.USAGE_DETAIL_MONTHS },
        CustomerRegistry,
        RestrictionSweepService,
        SubjobsFinishedListener,
        UsageNames,
        UsageRollUpService,
        VaultCreatedListener,
      ],
    };
  }
}
