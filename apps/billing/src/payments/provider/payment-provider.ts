import { ApiError, UnavailableError } from '@millrace/contracts/kit/api-error';
import type { ProviderName } from './payment-env.js';

/** A checked card as its owner entered it. It stays in memory during the request and is never written anywhere. */
export interface Card {
  /** Only digits. */
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name: string;
  /** Stripe's name: visa, mastercard, amex, … */
  brand: string;
}

/** A card that a provider has stored. */
export interface StoredCard {
  /** The provider's id of the card. */
  reference: string;
  brand: string;
  last4: string;
}

/** A vault as a customer of the provider. `id` stays the same as long as the customer exists. */
export interface Account {
  id: string;
  vault: string;
}

export interface PaymentProvider {
  readonly name: ProviderName;
  /** @returns the provider's id of the customer, the same one for each call with the same account */
  createCustomer(account: Account): Promise<string>;
  /**
   * Stores a card. A repeated attempt returns the same card.
   * @throws ValidationError if the card is declined, and then nothing is stored; CustomerMissingError; ProviderRefusedError;
   *   ProviderUnavailableError, after which the card may or may not be stored
   */
  addCard(card: Card, owner: { customer: string; attempt: string }): Promise<StoredCard>;
  /** Removes a card. Succeeds if the card does not exist. @throws ProviderUnavailableError */
  removePaymentCard(reference: string): Promise<void>;
  /** Removes all cards that an attempt has stored. @throws ProviderUnavailableError */
  removeAttempt(customer: string, attempt: string): Promise<void>;
}

export const PAYMENT_PROVIDER = Symbol('payment provider');

/** The provider has failed, or it is unknown whether it has succeeded. The caller may try again. */
export class ProviderUnavailableError extends UnavailableError {
  constructor(
    message = 'The payment provider does not respond. Send the request again with the same Idempotency-Key.',
  ) {
    super(message);
  }
}

/** The provider has refused the request for a reason other than the card. The same request fails again. */
export class ProviderRefusedError extends ApiError {
  constructor() {
    super(
      'internal_error',
      'The payment provider refuses requests from this installation. Its operator finds the reason in the log of billing.',
    );
  }
}

/** The customer does not exist at the provider, because it was deleted there. */
export class CustomerMissingError extends Error {}
