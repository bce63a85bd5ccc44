import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { giveUpWaiting } from './fail-abandoned-deliveries.js';

const EVERY_MS = 1_000;
/** Deleted in one statement, so that none takes long. */
const BATCH = 5_000;

/**
 * Does bit by bit what may be too much for one transaction, for whoever holds a webhook holds up whoever has something to
 * tell it: ends what disabled webhooks have given up, and removes those that were deleted.
 */
@Injectable()
export class SweepWebhooks implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly repeater = new IntervalLoop('Webhook sweep', EVERY_MS, () => this.sweep());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.repeater.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    const { client } = this.database;
    await giveUpWaiting(client);
    await client.$executeRaw`
      DELETE FROM notifications.webhook_delivery WHERE id = ANY(ARRAY(
        SELECT d.id FROM notifications.webhook_delivery d JOIN notifications.webhook w ON w.id = d.webhook_id
        WHERE w.deleted_at IS NOT NULL LIMIT ${BATCH} FOR UPDATE OF d SKIP LOCKED))`;
    await client.$executeRaw`
      DELETE FROM notifications.webhook w WHERE w.deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM notifications.webhook_delivery d WHERE d.webhook_id = w.id)`;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
