import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type InvariantCheck } from '@millrace/service/admin/invariant-check';

/** What must hold for notifications, mails and webhooks. */
export const notificationsChecks = (): InvariantCheck[] => [
  checkBySql(
    "No notification has a higher number than its user's feed",
    Prisma.sql`
      SELECT n.user_id::text AS id FROM notifications.notification n
      GROUP BY n.vault_id, n.user_id
      HAVING max(n.seq) > coalesce((SELECT f.seq FROM notifications.notification_feed f
        WHERE f.vault_id = n.vault_id AND f.user_id = n.user_id), 0)`,
  ),
  checkBySql(
    'No delivery of an enabled webhook is overdue by more than an hour',
    Prisma.sql`
      SELECT d.id::text AS id FROM notifications.webhook_delivery d JOIN notifications.webhook w ON w.id = d.webhook_id
      WHERE d.status = 'pending' AND d.round = w.round AND w.enabled AND w.deleted_at IS NULL
        AND w.wake_at < now() - interval '1 hour' AND d.next_at < now() - interval '1 hour'`,
  ),
  checkBySql(
    'Changes of tables are notified within an hour',
    Prisma.sql`SELECT id::text AS id FROM notifications.pending_table_change WHERE created_at < now() - interval '1 hour'`,
  ),
];
