import type { FreshDatabase } from '@millrace/testkit/fresh-database';

/** Lets all that waits at webhooks be sent now, also what somebody is believed to be sending. */
export async function makeDue(database: FreshDatabase): Promise<void> {
  await database.query('UPDATE notifications.webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL');
  await database.query(`
    UPDATE notifications.webhook SET wake_at = now() WHERE id IN (
      SELECT webhook_id FROM notifications.webhook_delivery WHERE next_at IS NOT NULL)`);
  await database.query(`SELECT pg_notify('webhook_woken', '')`);
}
