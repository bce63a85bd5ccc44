import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import { Database, type Transaction } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { enqueueCardRemoval } from './enqueue-card-removal.js';

const SWEEP_INTERVAL_MS = 60_000;
/** Much longer than any request. After this time an attempt is abandoned, and the job of a removal is enqueued again. */
const ABANDON_AFTER_MINUTES = 10;
/** Stripe retries an event for three days (https://docs.stripe.com/webhooks, "Retry behavior"). */
const EVENT_RETENTION_DAYS = 30;
const BATCH_SIZE = 100;

interface AbandonedAttempt {
  id: string;
  provider: string;
  customer: string | null;
}

/** Cleans up after interruptions: a crash between provider and record, or a queue that lost its jobs. */
@Injectable()
export class SweepCardsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeps = new IntervalLoop('Card sweep', SWEEP_INTERVAL_MS, () => this.sweep());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    await this.database.transaction((tx) => this.abandonAttempts(tx));
    await this.database.transaction((tx) => this.enqueueAgain(tx));
    const isOld = isOlderThanDays('created_at', EVENT_RETENTION_DAYS);
    await deleteInBatches(this.database.client, 'billing.provider_event', isOld);
  }

  /** A deleted attempt can no longer become a card's record, so a job removes its card from the provider. */
  private async abandonAttempts(tx: Transaction): Promise<void> {
    const abandoned = await tx.$queryRaw<AbandonedAttempt[]>`
      WITH abandoned AS (
        DELETE FROM billing.card_attempt WHERE id = ANY(ARRAY(
          SELECT id FROM billing.card_attempt
          WHERE started_at < now() - ${ABANDON_AFTER_MINUTES}::int * interval '1 minute'
          ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
        RETURNING id, vault_id, provider)
      SELECT g.id::text, g.provider, a.customer FROM abandoned g
      LEFT JOIN billing.payment_account a ON a.vault_id = g.vault_id AND a.provider = g.provider`;
    for (const { id, provider, customer } of abandoned) {
      if (customer !== null) await enqueueCardRemoval(tx, { provider, customer, attempt: id });
    }
  }

  private async enqueueAgain(tx: Transaction): Promise<void> {
    const overdue = await tx.$queryRaw<{ id: string }[]>`
      UPDATE billing.card_removal SET ordered_at = now() WHERE id = ANY(ARRAY(
        SELECT id FROM billing.card_removal
        WHERE ordered_at < now() - ${ABANDON_AFTER_MINUTES}::int * interval '1 minute'
        ORDER BY ordered_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
      RETURNING id::text`;
    for (const { id } of overdue) tx.enqueue(removePaymentCard, { removal: id });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
  }
}
