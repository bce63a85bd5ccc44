import { Module, type DynamicModule } from '@nestjs/common';
import { AddCard } from './add-card.js';
import { openProvider } from './open-provider.js';
import type { PaymentEnv } from './payment-env.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PAYMENT_PROVIDER } from './payment-provider.js';
import { RemoveCardJob } from './remove-card.job.js';
import { openEventReader } from './stripe/open-event-reader.js';
import { STRIPE_EVENT_READER, StripeEventsController } from './stripe/stripe-events.controller.js';
import { SweepCards } from './sweep-cards.js';

/** Payment methods: cards of vaults, and the provider that keeps them. */
@Module({})
export class PaymentsModule {
  static of(env: PaymentEnv): DynamicModule {
    return {
      module: PaymentsModule,
      controllers: [PaymentMethodsController, StripeEventsController],
      providers: [
        { provide: PAYMENT_PROVIDER, useFactory: () => openProvider(env) },
        { provide: STRIPE_EVENT_READER, useFactory: () => openEventReader(env) },
        AddCard,
        RemoveCardJob,
        SweepCards,
      ],
    };
  }
}
