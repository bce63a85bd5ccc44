import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { failAbandonedDeliveries } from './fail-abandoned-deliveries.js';

const INTERVAL_MS = 2_000;
/** Rows per statement, so that none takes long. */
const BATCH_SIZE = 5_000;

/**
 * Fails the abandoned deliveries of disabled webhooks and removes deleted webhooks, in small batches: a long transaction
 * would lock the webhook and block the events for it.
 */
@Injectable()
export class WebhookCleanupService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Webhook sweep', INTERVAL_MS, () => this.cleanUp());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  private async cleanUp(): Promise<void> {
    const { client } = this.database;
    const [found] = await client.$queryRaw<{ any: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM notifications.webhook WHERE round > 0 OR deleted_at IS NOT NULL) AS any`;
    if (!found?.any) return;
    await failAbandonedDeliveries(client);
    await client.$executeRaw`
      DELETE FROM notifications.webhook_delivery WHERE id = ANY(ARRAY(
        SELECT d.id FROM notifications.webhook_delivery d JOIN notifications.webhook w ON w.id = d.webhook_id
        WHERE w.deleted_at IS NOT NULL LIMIT ${BATCH_SIZE} FOR UPDATE OF d SKIP LOCKED))`;
    await client.$executeRaw`
      DELETE FROM notifications.webhook w WHERE w.deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM notifications.webhook_delivery d WHERE d.webhook_id = w.id)`;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
