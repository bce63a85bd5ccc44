import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Rows per statement, so that none takes long. */
const BATCH_SIZE = 1_000;

/**
 * Fails a batch of pending deliveries of earlier rounds, which disabling a webhook has abandoned. Attempts in flight settle by
 * themselves and are not retried.
 * @param webhook limits the batch to this webhook
 */
export async function failAbandonedDeliveries(
  client: Pick<Transaction, '$executeRaw'>,
  webhook?: string,
): Promise<void> {
  const condition = webhook === undefined ? Prisma.sql`w.deleted_at IS NULL` : Prisma.sql`w.id = ${webhook}::uuid`;
  await client.$executeRaw`
    UPDATE notifications.webhook_delivery
    SET status = 'failed', next_at = NULL, lease = NULL, error = 'The webhook was disabled before the message was delivered.'
    WHERE id = ANY(ARRAY(
      SELECT abandoned.id FROM notifications.webhook w CROSS JOIN LATERAL (
        SELECT d.id FROM notifications.webhook_delivery d
        WHERE d.webhook_id = w.id AND d.round < w.round AND d.next_at IS NOT NULL
          AND NOT (d.lease IS NOT NULL AND d.next_at > now())
        LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED) abandoned
      WHERE w.round > 0 AND ${condition} LIMIT ${BATCH_SIZE}))`;
}
