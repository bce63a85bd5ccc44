import { Inject, Injectable } from '@nestjs/common';
import type { addPaymentMethod } from '@millrace/contracts/billing/payment-methods';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import type { Context } from '@millrace/messaging/rpc/context';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import {
  type Card,
  CustomerMissingError,
  PAYMENT_PROVIDER,
  type PaymentProvider,
  ProviderRefusedError,
  ProviderUnavailableError,
  type StoredCard,
} from '../provider/payment-provider.js';
import { type Attempt, abandonAttempt, beginAttempt } from './card-attempts.js';
import { checkCard } from './check-card.js';
import { deletePaymentAccount } from './delete-card.js';
import { saveCard } from './save-card.js';
import { toPaymentMethod } from './to-payment-method.js';

type Body = Input<typeof addPaymentMethod>['body'];

/**
 * Adds a card in three steps: it records an attempt, the provider stores the card, and the card's record replaces the
 * attempt. After a crash in between, a repeated request continues with the same card. If none arrives,
 * `SweepCardsService` has the card removed from the provider.
 */
@Injectable()
export class CardRegistration {
  private readonly requestHash: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(PAYMENT_PROVIDER) private readonly provider: PaymentProvider,
    @Inject(MESSAGING_OPTIONS) { secret = '' }: MessagingOptions,
  ) {
    this.requestHash = new KeyedHash(secret, 'card attempts');
  }

  /** @throws ValidationError if the card is invalid or declined; ProviderRefusedError; ProviderUnavailableError */
  async add(body: Body, context: Context): Promise<Result<typeof addPaymentMethod>> {
    const card = checkCard(body);
    const key = this.keyOf(body, context);
    const { attempt, stored } = await this.storeAtProvider(card, key, context.caller.vault);
    const cardToSave = { ...stored, name: card.name, attempt, provider: this.provider.name };
    const refusal: { error?: ApiError } = {};
    const added = await this.database.transaction(async (tx) => {
      const saved = await saveCard(tx, cardToSave, context);
      if (!(saved instanceof ApiError)) return toPaymentMethod(saved, this.provider.name);
      refusal.error = saved;
      return undefined;
    });
    if (!added) throw refusal.error ?? new ProviderUnavailableError();
    return added;
  }

  /** Tries again with a new customer if the provider has deleted the customer. */
  private async storeAtProvider(
    card: Card,
    key: string,
    vault: string,
  ): Promise<{ attempt: string; stored: StoredCard }> {
    for (let isRetry = false; ; isRetry = true) {
      const attempt = await this.begin(vault, key);
      try {
        const customer = attempt.customer ?? (await this.createCustomer(attempt));
        const stored = await this.provider.addCard(card, { customer, attempt: attempt.id });
        return { attempt: attempt.id, stored };
      } catch (error) {
        if (error instanceof ValidationError) await this.deleteAttempt(attempt);
        if (error instanceof ProviderRefusedError) await this.write((tx) => abandonAttempt(tx, attempt));
        if (!(error instanceof CustomerMissingError)) throw error;
        if (isRetry) throw new ProviderUnavailableError();
        await this.write((tx) => deletePaymentAccount(tx, attempt.account.id));
      }
    }
  }

  private async begin(vault: string, key: string): Promise<Attempt> {
    const attempts: Attempt[] = [];
    await this.write(async (tx) => {
      attempts[0] = await beginAttempt(tx, { vault, key, provider: this.provider.name });
    });
    const [attempt] = attempts;
    if (!attempt) throw new Error('The transaction recorded no attempt');
    return attempt;
  }

  private async createCustomer({ account }: Attempt): Promise<string> {
    const customer = await this.provider.createCustomer(account);
    await this.write(async (tx) => {
      await tx.paymentAccount.updateMany({ where: { id: account.id }, data: { customer } });
    });
    return customer;
  }

  /** Deletes an attempt that left nothing at the provider. */
  private deleteAttempt({ id }: Attempt): Promise<void> {
    return this.write(async (tx) => {
      await tx.cardAttempt.deleteMany({ where: { id } });
    });
  }

  /** Returns nothing, because the result of a POST's transaction becomes the stored response of its `Idempotency-Key`. */
  private write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.database.transaction(work);
  }

  /** Identifies a request that may be repeated. The hash is keyed, because the number of a card is easy to guess. */
  private keyOf(body: Body, { caller, envelope }: Context): string {
    const { idempotencyKey } = envelope;
    return idempotencyKey === undefined
      ? newId()
      : this.requestHash.hash(JSON.stringify([caller.vault, caller.user, idempotencyKey, body]));
  }
}
