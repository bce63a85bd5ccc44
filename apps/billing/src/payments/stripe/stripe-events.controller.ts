import { Controller, Inject } from '@nestjs/common';
import { takeStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { applyStripeEvent } from './apply-stripe-event.js';
import type { StripeEventReader } from './open-event-reader.js';

export const STRIPE_EVENT_READER = Symbol('reader of events from Stripe');

@Controller()
export class StripeEventsController {
  constructor(
    private readonly database: Database,
    @Inject(STRIPE_EVENT_READER) private readonly read: StripeEventReader | null,
  ) {}

  @Handles(takeStripeEvent)
  async take({ body }: Input<typeof takeStripeEvent>): Promise<Result<typeof takeStripeEvent>> {
    if (this.read === null) throw new NotFound('Path');
    const event = this.read(body.payload, body.signature);
    return this.database.transaction(async (tx) => {
      if (event) await applyStripeEvent(tx, event);
      return { received: true };
    });
  }
}
