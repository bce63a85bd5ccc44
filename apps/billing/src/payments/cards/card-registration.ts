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
  CustomerMissingError,
  PAYMENT_PROVIDER,
  ProviderRefusedError,
  ProviderUnavailableError,
  type Card,
  type StoredCard,
  type PaymentProvider,
} from '../provider/payment-provider.js';
import { abandonAttempt, beginAttempt, type Attempt } from './card-attempts.js';
import { checkCard } from './check-card.js';
import { deletePaymentAccount } from './delete-payment-account.js';
import { saveCard } from './save-card.js';
import { toPaymentMethod } from './to-payment-method.js';

type Body = Input<typeof addPaymentMethod>['body'];

/**
 * Adds a card in three steps: the attempt is noted, the provider takes the card, the record is written in place of the note.
 * Whatever dies between them, a request that comes again goes on with the same card, and what nobody goes on with is taken
 * away from the provider (`SweepCardsService`).
 */
@Injectable()
export class CardRegistration {
  private readonly requests: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(PAYMENT_PROVIDER) private readonly provider: PaymentProvider,
    @Inject(MESSAGING_OPTIONS) { secret = '' }: MessagingOptions,
  ) {
    this.requests = new KeyedHash(secret, 'card attempts');
  }

  /** @throws ValidationError where the card is wrong or declined; ProviderRefusedError; ProviderUnavailableError */
  async add(body: Body, context: Context): Promise<Result<typeof addPaymentMethod>> {
    const card = checkCard(body);
    const key = this.keyOf(body, context);
    const { attempt, held } = await this.handOver(card, key, context.caller.vault);
    const taken = { ...held, name: card.name, attempt, provider: this.provider.name };
    const unkept: { why?: ApiError } = {};
    const added = await this.database.transaction(async (tx) => {
      const kept = await saveCard(tx, taken, context);
      if (!(kept instanceof ApiError)) return toPaymentMethod(kept, this.provider.name);
      unkept.why = kept;
      return undefined;
    });
    if (!added) throw unkept.why ?? new ProviderUnavailableError();
    return added;
  }

  /** Once more where the customer was deleted at the provider, as another customer. */
  private async handOver(card: Card, key: string, vault: string): Promise<{ attempt: string; held: StoredCard }> {
    for (let isAgain = false; ; isAgain = true) {
      const attempt = await this.begin(vault, key);
      try {
        const customer = attempt.customer ?? (await this.createCustomer(attempt));
        const held = await this.provider.addCard(card, { customer, attempt: attempt.id });
        return { attempt: attempt.id, held };
      } catch (error) {
        if (error instanceof ValidationError) await this.dropAttempt(attempt);
        if (error instanceof ProviderRefusedError) await this.write((tx) => abandonAttempt(tx, attempt));
        if (!(error instanceof CustomerMissingError)) throw error;
        if (isAgain) throw new ProviderUnavailableError();
        await this.write((tx) => deletePaymentAccount(tx, attempt.account.id));
      }
    }
  }

  private async begin(vault: string, key: string): Promise<Attempt> {
    const begun: Attempt[] = [];
    await this.write(async (tx) => {
      begun[0] = await beginAttempt(tx, { vault, key, provider: this.provider.name });
    });
    const [attempt] = begun;
    if (!attempt) throw new Error('The attempt was not begun');
    return attempt;
  }

  private async createCustomer({ account }: Attempt): Promise<string> {
    const customer = await this.provider.createCustomer(account);
    await this.write(async (tx) => {
      await tx.paymentAccount.updateMany({ where: { id: account.id }, data: { customer } });
    });
    return customer;
  }

  /** The provider keeps nothing of it. */
  private dropAttempt({ id }: Attempt): Promise<void> {
    return this.write(async (tx) => {
      await tx.cardAttempt.deleteMany({ where: { id } });
    });
  }

  /** Gives nothing back: what a transaction of a POST gives is its answer under an `Idempotency-Key`. */
  private write(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.database.transaction(work);
  }

  /** The request, where it may come again. A keyed hash, for a number of a card is easy to guess. */
  private keyOf(body: Body, { caller, envelope }: Context): string {
    const { idempotencyKey } = envelope;
    return idempotencyKey === undefined
      ? newId()
      : this.requests.hash(JSON.stringify([caller.vault, caller.user, idempotencyKey, body]));
  }
}
