import { Controller, Inject } from '@nestjs/common';
import { takeStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { applyStripeEvent } from './apply-stripe-event.js';
import { readStripeEvent } from './read-stripe-event.js';

export const STRIPE_WEBHOOK_SECRET = Symbol('secret of events from Stripe');

@Controller()
export class StripeEventsController {
  constructor(
    private readonly database: Database,
    @Inject(STRIPE_WEBHOOK_SECRET) private readonly secret: string | null,
  ) {}

  @Handles(takeStripeEvent)
  async take({ body }: Input<typeof takeStripeEvent>): Promise<Result<typeof takeStripeEvent>> {
    if (this.secret === null) throw new NotFound('Path');
    const event = readStripeEvent(body.payload, body.signature, this.secret);
    return this.database.transaction(async (tx) => {
      if (event) await applyStripeEvent(tx, event);
      return { received: true };
    });
  }
}
