import { ApiError, UnavailableError } from '@millrace/contracts/kit/api-error';
import type { ProviderName } from './payment-env.js';

/** A card as its owner typed it, checked. In memory for the length of the request, and never written anywhere. */
export interface Card {
  /** Digits alone. */
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name: string;
  /** As Stripe names it: visa, mastercard, amex, … */
  brand: string;
}

/** A card that a provider keeps. */
export interface StoredCard {
  /** The provider's name of it. */
  reference: string;
  brand: string;
  last4: string;
}

/** A vault as the provider's customer; `id` is the same for as long as the customer is. */
export interface Account {
  id: string;
  vault: string;
}

export interface PaymentProvider {
  readonly name: ProviderName;
  /** @returns the provider's name of the customer; asked again for the same account, the same */
  createCustomer(account: Account): Promise<string>;
  /**
   * Hands a card over. The same attempt again gives the same card.
   * @throws ValidationError where the card is declined: then nothing is kept of it; CustomerMissingError; ProviderRefusedError;
   *   ProviderUnavailableError, after which the provider may or may not keep the card
   */
  addCard(card: Card, of: { customer: string; attempt: string }): Promise<StoredCard>;
  /** Takes a card away; one that is gone already is fine. @throws ProviderUnavailableError */
  removePaymentCard(reference: string): Promise<void>;
  /** Takes away what an attempt has left. @throws ProviderUnavailableError */
  removeAttempt(customer: string, attempt: string): Promise<void>;
}

export const PAYMENT_PROVIDER = Symbol('payment provider');

/** Whether the provider has done it is not known, or it has not: a caller may try again. */
export class ProviderUnavailableError extends UnavailableError {
  constructor(
    message = 'The payment provider cannot be reached now; send the request again with the same Idempotency-Key',
  ) {
    super(message);
  }
}

/** The provider has refused the request itself, whatever the card: the same request fails again. */
export class ProviderRefusedError extends ApiError {
  constructor() {
    super('internal_error', 'The payment provider does not take cards from here; the log of billing says more');
  }
}

/** The provider knows no such customer any more: somebody deleted it there. */
export class CustomerMissingError extends Error {}
