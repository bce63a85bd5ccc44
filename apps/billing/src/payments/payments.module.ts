import { type DynamicModule, Module } from '@nestjs/common';
import { CardRegistration } from './cards/card-registration.js';
import { PaymentMethodsController } from './cards/payment-methods.controller.js';
import { openProvider } from './provider/open-provider.js';
import type { PaymentEnv } from './provider/payment-env.js';
import { PAYMENT_PROVIDER } from './provider/payment-provider.js';
import { RemoveCardJob } from './removals/remove-card.job.js';
import { SweepCardsService } from './removals/sweep-cards.service.js';
import { STRIPE_EVENT_READER, StripeEventsController, openEventReader } from './stripe/stripe-events.controller.js';

/** Payment methods: the cards of vaults, and the provider that stores them. */
@Module({})
export class PaymentsModule {
  static of(env: PaymentEnv): DynamicModule {
    return {
      module: PaymentsModule,
      controllers: [PaymentMethodsController, StripeEventsController],
      providers: [
        { provide: PAYMENT_PROVIDER, useFactory: () => openProvider(env) },
        { provide: STRIPE_EVENT_READER, useFactory: () => openEventReader(env) },
        CardRegistration,
        RemoveCardJob,
        SweepCardsService,
      ],
    };
  }
}
