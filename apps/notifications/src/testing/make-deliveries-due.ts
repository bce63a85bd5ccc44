import type { FreshDatabase } from '@millrace/testkit/fresh-database';

/** Makes all pending deliveries due now, even those with an attempt in flight. */
export async function makeDeliveriesDue(database: FreshDatabase): Promise<void> {
  await database.query('UPDATE notifications.webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL');
  await database.query(`
    UPDATE notifications.webhook SET wake_at = now() WHERE id IN (
      SELECT webhook_id FROM notifications.webhook_delivery WHERE next_at IS NOT NULL)`);
  await database.query(`SELECT pg_notify('webhook_woken', '')`);
}
