import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** The Postgres channel that wakes the dispatchers when a webhook has a delivery earlier than scheduled. */
export const WAKE_CHANNEL = 'webhook_woken';

/** Maximum concurrent deliveries of a webhook: one if its receiver fails or is slow, enough to see whether it has recovered. */
export const maxConcurrentDeliveries = Prisma.sql`CASE WHEN w.failing_since IS NULL AND NOT w.slow THEN 4 ELSE 1 END`;

/**
 * Schedules when the dispatchers check these webhooks next: when the next delivery is due or, if the maximum is in flight,
 * when the first lease ends. Call it with the webhooks locked, after each change of their deliveries.
 */
export async function wakeWebhooks(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE notifications.webhook w SET wake_at = (
      SELECT CASE WHEN count(*) < ${maxConcurrentDeliveries}
        THEN (SELECT min(d.next_at) FROM notifications.webhook_delivery d
          WHERE d.webhook_id = w.id AND d.round = w.round AND d.next_at IS NOT NULL)
        ELSE min(u.next_at) END
      FROM notifications.webhook_delivery u WHERE u.webhook_id = w.id AND u.lease IS NOT NULL AND u.next_at > now())
    WHERE w.id = ANY(${ids}::uuid[])`;
}

/** Wakes the dispatchers of all processes at the commit. */
export async function notifyDispatchers(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${WAKE_CHANNEL}, '')`;
}
