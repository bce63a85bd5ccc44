import Stripe from 'stripe';
import type { Account, Card, PaymentProvider, StoredCard } from '../provider/payment-provider.js';
import { explainStripeFailure, isMissing } from './explain-stripe-failure.js';

/**
 * Stores cards as PaymentMethods of one customer per vault. Stripe accepts card numbers from servers only if the account
 * has permission to send them (https://docs.stripe.com/security/guide, "raw card data").
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';

  constructor(private readonly stripe: Stripe) {}

  createCustomer({ id, vault }: Account): Promise<string> {
    return this.call(async () => {
      const metadata = { vault, account: id };
      const created = await this.stripe.customers.create({ metadata }, { idempotencyKey: `customer-${id}` });
      return created.id;
    });
  }

  addCard(card: Card, { customer, attempt }: { customer: string; attempt: string }): Promise<StoredCard> {
    return this.call(async () => {
      const created = await this.stripe.paymentMethods.create(
        {
          type: 'card',
          card: { number: card.number, exp_month: card.expMonth, exp_year: card.expYear, cvc: card.cvc },
          billing_details: { name: card.name },
          metadata: { attempt },
        },
        { idempotencyKey: `create-${attempt}` },
      );
      // Stripe contacts the bank here. A PaymentMethod that is not attached cannot be charged.
      const idempotencyKey = `attach-${attempt}-${customer}`;
      const attached = await this.stripe.paymentMethods.attach(created.id, { customer }, { idempotencyKey });
      return {
        reference: attached.id,
        brand: attached.card?.brand ?? card.brand,
        last4: attached.card?.last4 ?? card.number.slice(-4),
      };
    });
  }

  removePaymentCard(reference: string): Promise<void> {
    return this.call(async () => {
      if (await this.isAttached(reference)) await this.stripe.paymentMethods.detach(reference);
    });
  }

  removeAttempt(customer: string, attempt: string): Promise<void> {
    return this.call(async () => {
      try {
        for await (const method of this.stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })) {
          if (method.metadata?.['attempt'] === attempt) await this.stripe.paymentMethods.detach(method.id);
        }
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  private async isAttached(reference: string): Promise<boolean> {
    try {
      return (await this.stripe.paymentMethods.retrieve(reference)).customer !== null;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  private async call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw explainStripeFailure(error);
    }
  }
}

interface StripeSettings {
  secretKey: string;
  /** Origin of the API. */
  apiBase: string;
  /** Timeout of one attempt. */
  timeoutMs?: number;
}

/** Three calls with one retry each finish within the caller's 30 s, unless all of them hang. */
const ATTEMPT_TIMEOUT_MS = 6_000;
const MAX_RETRIES = 1;

/** A client of Stripe's API, in the API version of its package (https://docs.stripe.com/sdks/versioning). */
export function connectToStripe({ secretKey, apiBase, timeoutMs = ATTEMPT_TIMEOUT_MS }: StripeSettings): Stripe {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}
