import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import { Database, type Transaction } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { enqueueCardRemoval } from './enqueue-card-removal.js';

const EVERY_MS = 60_000;
/** Much longer than any request lasts; a removal is ordered again after as long. */
const PATIENCE_MINUTES = 10;
/** Stripe sends an event again for three days (https://docs.stripe.com/webhooks, "Retry behavior"). */
const KEEP_EVENTS_DAYS = 30;
const MAX_CONCURRENT = 100;

interface CutOff {
  id: string;
  provider: string;
  customer: string | null;
}

/** Looks after cards whose way ended in the middle: a crash between the provider and the record, a queue that was emptied. */
@Injectable()
export class SweepCardsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeping = new IntervalLoop('Card sweep', EVERY_MS, () => this.sweep());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.sweeping.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    await this.database.transaction((tx) => this.giveUpAttempts(tx));
    await this.database.transaction((tx) => this.orderAgain(tx));
    await this.database.client.$executeRaw`
      DELETE FROM billing.provider_event WHERE created_at < now() - ${KEEP_EVENTS_DAYS}::int * interval '1 day'`;
  }

  /** Without its note an attempt can no longer become a record, so whatever the provider has of it is nobody's. */
  private async giveUpAttempts(tx: Transaction): Promise<void> {
    const cutOff = await tx.$queryRaw<CutOff[]>`
      WITH given_up AS (
        DELETE FROM billing.card_attempt WHERE id = ANY(ARRAY(
          SELECT id FROM billing.card_attempt
          WHERE started_at < now() - ${PATIENCE_MINUTES}::int * interval '1 minute'
          ORDER BY id LIMIT ${MAX_CONCURRENT} FOR UPDATE SKIP LOCKED))
        RETURNING id, vault_id, provider)
      SELECT g.id::text, g.provider, a.customer FROM given_up g
      LEFT JOIN billing.payment_account a ON a.vault_id = g.vault_id AND a.provider = g.provider`;
    for (const { id, provider, customer } of cutOff) {
      if (customer !== null) await enqueueCardRemoval(tx, { provider, customer, attempt: id });
    }
  }

  private async orderAgain(tx: Transaction): Promise<void> {
    const waiting = await tx.$queryRaw<{ id: string }[]>`
      UPDATE billing.card_removal SET ordered_at = now() WHERE id = ANY(ARRAY(
        SELECT id FROM billing.card_removal
        WHERE ordered_at < now() - ${PATIENCE_MINUTES}::int * interval '1 minute'
        ORDER BY ordered_at LIMIT ${MAX_CONCURRENT} FOR UPDATE SKIP LOCKED))
      RETURNING id::text`;
    for (const { id } of waiting) tx.enqueue(removePaymentCard, { removal: id });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeping.stop();
  }
}
