import { Module, type DynamicModule } from '@nestjs/common';
import { AddCard } from './add-card.js';
import { openProvider } from './open-provider.js';
import type { PaymentEnv } from './payment-env.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PAYMENT_PROVIDER } from './payment-provider.js';
import { RemoveCardJob } from './remove-card.job.js';
import { STRIPE_WEBHOOK_SECRET, StripeEventsController } from './stripe/stripe-events.controller.js';
import { SweepCards } from './sweep-cards.js';

/** Payment methods: cards of vaults, and the provider that keeps them. */
@Module({})
export class PaymentsModule {
  static of(env: PaymentEnv): DynamicModule {
    const eventSecret = env.PAYMENT_PROVIDER === 'stripe' ? (env.STRIPE_WEBHOOK_SECRET ?? null) : null;
    return {
      module: PaymentsModule,
      controllers: [PaymentMethodsController, StripeEventsController],
      providers: [
        { provide: PAYMENT_PROVIDER, useValue: openProvider(env) },
        { provide: STRIPE_WEBHOOK_SECRET, useValue: eventSecret },
        AddCard,
        RemoveCardJob,
        SweepCards,
      ],
    };
  }
}
