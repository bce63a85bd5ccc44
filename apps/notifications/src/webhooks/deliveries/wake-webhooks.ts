import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Where it is told that a webhook may have something to send earlier than was known. */
export const CHANNEL = 'webhook_woken';

/** How much one webhook may have under way at once: of a receiver that fails or is slow, no more than shows whether it still is. */
export const roomOf = Prisma.sql`CASE WHEN w.failing_since IS NULL AND NOT w.slow THEN 4 ELSE 1 END`;

/**
 * Sets when some webhooks are to be looked at next, for whoever holds them and has changed their deliveries: when the next
 * message is due or, where as much is under way as may be, when the first of that counts as lost. Each message that
 * comes to an end has this asked again.
 */
export async function wakeWebhooks(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE notifications.webhook w SET wake_at = (
      SELECT CASE WHEN count(*) < ${roomOf}
        THEN (SELECT min(d.next_at) FROM notifications.webhook_delivery d
          WHERE d.webhook_id = w.id AND d.round = w.round AND d.next_at IS NOT NULL)
        ELSE min(u.next_at) END
      FROM notifications.webhook_delivery u WHERE u.webhook_id = w.id AND u.lease IS NOT NULL AND u.next_at > now())
    WHERE w.id = ANY(${ids}::uuid[])`;
}

/** Lets the couriers of all copies look, at the commit. */
export async function tellCouriers(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, '')`;
}
