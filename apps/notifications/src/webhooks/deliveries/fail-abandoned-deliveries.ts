import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Ended in one statement, so that none takes long. */
const BATCH = 1_000;

/**
 * Ends some of what waits though its webhook has given it up, by a round that is over. What is under way settles by itself;
 * nothing of it is sent again, whether it has ended by now or not.
 * @param webhook that alone
 */
export async function giveUpWaiting(client: Pick<Transaction, '$executeRaw'>, webhook?: string): Promise<void> {
  const which = webhook === undefined ? Prisma.sql`w.deleted_at IS NULL` : Prisma.sql`w.id = ${webhook}::uuid`;
  await client.$executeRaw`
    UPDATE notifications.webhook_delivery
    SET status = 'failed', next_at = NULL, lease = NULL, error = 'The webhook was disabled before this was delivered'
    WHERE id = ANY(ARRAY(
      SELECT over.id FROM notifications.webhook w CROSS JOIN LATERAL (
        SELECT d.id FROM notifications.webhook_delivery d
        WHERE d.webhook_id = w.id AND d.round < w.round AND d.next_at IS NOT NULL
          AND NOT (d.lease IS NOT NULL AND d.next_at > now())
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) over
      WHERE w.round > 0 AND ${which} LIMIT ${BATCH}))`;
}
