import { Controller, Inject } from '@nestjs/common';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { PaymentEnv } from '../provider/payment-env.js';
import { applyStripeEvent } from './apply-stripe-event.js';
import type { StripeEvent } from './read-stripe-event.js';

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

/** Verifies and reads an event of Stripe. Returns null for an event that billing does not use. @throws ValidationError */
type StripeEventReader = (payload: string, signature: string) => StripeEvent | null;

/** @returns null if billing is not configured to receive events */
export async function openEventReader(env: PaymentEnv): Promise<StripeEventReader | null> {
  const { PAYMENT_PROVIDER: provider, STRIPE_WEBHOOK_SECRET: secret } = env;
  if (provider !== 'stripe' || secret === undefined) return null;
  const { readStripeEvent } = await import('./read-stripe-event.js');
  return (payload, signature) => readStripeEvent(payload, signature, secret);
}
