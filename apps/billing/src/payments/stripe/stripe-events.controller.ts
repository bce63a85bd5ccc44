import { Controller, Inject } from '@nestjs/common';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { applyStripeEvent } from './apply-stripe-event.js';
import type { StripeEventReader } from './open-event-reader.js';

export const STRIPE_EVENT_READER = Symbol('Stripe event reader');

@Controller()
export class StripeEventsController {
  constructor(
    private readonly database: Database,
    @Inject(STRIPE_EVENT_READER) private readonly readEvent: StripeEventReader | null,
  ) {}

  @OperationHandler(receiveStripeEvent)
  async receive({ body }: Input<typeof receiveStripeEvent>): Promise<Result<typeof receiveStripeEvent>> {
    if (this.readEvent === null)
      throw new ApiError('not_found', 'This installation does not receive events from Stripe.');
    const event = this.readEvent(body.payload, body.signature);
    return this.database.transaction(async (tx) => {
      if (event) await applyStripeEvent(tx, event);
      return { received: true };
    });
  }
}
