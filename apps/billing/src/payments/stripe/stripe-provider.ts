import type Stripe from 'stripe';
import type { Account, Card, StoredCard, PaymentProvider } from '../provider/payment-provider.js';
import { explainStripeFailure, isMissing } from './explain-stripe-failure.js';

/**
 * Cards as PaymentMethods of one customer a vault. Stripe takes numbers from servers only where the account may send them
 * (https://docs.stripe.com/security/guide, "raw card data").
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';

  constructor(private readonly stripe: Stripe) {}

  createCustomer({ id, vault }: Account): Promise<string> {
    return this.call(async () => {
      const metadata = { vault, account: id };
      const made = await this.stripe.customers.create({ metadata }, { idempotencyKey: `customer-${id}` });
      return made.id;
    });
  }

  addCard(card: Card, { customer, attempt }: { customer: string; attempt: string }): Promise<StoredCard> {
    return this.call(async () => {
      const made = await this.stripe.paymentMethods.create(
        {
          type: 'card',
          card: { number: card.number, exp_month: card.expMonth, exp_year: card.expYear, cvc: card.cvc },
          billing_details: { name: card.name },
          metadata: { attempt },
        },
        { idempotencyKey: `create-${attempt}` },
      );
      // The bank is asked here. What is not attached belongs to nobody, and nothing can be charged to it.
      const idempotencyKey = `attach-${attempt}-${customer}`;
      const held = await this.stripe.paymentMethods.attach(made.id, { customer }, { idempotencyKey });
      return {
        reference: held.id,
        brand: held.card?.brand ?? card.brand,
        last4: held.card?.last4 ?? card.number.slice(-4),
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
        for await (const held of this.stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })) {
          if (held.metadata?.['attempt'] === attempt) await this.stripe.paymentMethods.detach(held.id);
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
