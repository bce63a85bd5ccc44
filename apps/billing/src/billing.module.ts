import { Module, type DynamicModule } from '@nestjs/common';
import type { BillingEnv } from './env.js';
import { PaymentsModule } from './payments/payments.module.js';
import { SubjobsFinishedListener } from './subjobs-finished.listener.js';
import { VaultCreatedListener } from './vault-created.listener.js';

@Module({})
export class BillingModule {
  static of(env: BillingEnv): DynamicModule {
    return {
      module: BillingModule,
      imports: [PaymentsModule.of(env)],
      providers: [VaultCreatedListener, SubjobsFinishedListener],
    };
  }
}
