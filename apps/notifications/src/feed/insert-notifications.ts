import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import type { Transaction } from '@millrace/persistence/database';
import { notifyFeeds } from './feed-changes.service.js';

/** The content of a notification, the same for all of its recipients. */
export interface NotificationContent {
  type: NotificationType;
  /** What users see as `type`, if it is not the type. */
  kind?: 'TABLE_CHANGED' | 'APPROVAL_REQUESTED' | 'RUN_STALLED';
  title: string;
  message: string;
  metadata: Record<string, string | number | boolean | object>;
}

export interface NewNotification extends NotificationContent {
  id: string;
  vault: string;
  user: string;
}

/**
 * Inserts a batch in one statement. The SQL is written by hand, because Prisma's `createMany` prepares another statement for
 * each number of rows.
 *
 * Each notification gets the next number of its user. The row with the user's counter stays locked until the commit, so a
 * reader who has read up to a number never finds a lower one later. Call it last in a transaction, so that the lock is short.
 */
export async function insertNotifications(tx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = JSON.stringify(numberPerUser(notifications));
  await tx.$executeRaw`
    WITH added AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r(
        id uuid, vault uuid, "user" uuid, type text, kind text, title text, message text, metadata jsonb, nth int)
    ), counted AS (
      SELECT vault, "user", max(nth) AS number FROM added GROUP BY vault, "user"
    ), feed AS (
      INSERT INTO notifications.notification_feed AS f (vault_id, user_id, seq)
      SELECT vault, "user", number FROM counted ORDER BY vault, "user"
      ON CONFLICT (vault_id, user_id) DO UPDATE SET seq = f.seq + excluded.seq
      RETURNING vault_id, user_id, seq
    )
    INSERT INTO notifications.notification (id, vault_id, user_id, seq, type, kind, title, message, metadata)
    SELECT n.id, n.vault, n."user", feed.seq - counted.number + n.nth, n.type, n.kind, n.title, n.message, n.metadata
    FROM added n
    JOIN counted ON counted.vault = n.vault AND counted."user" = n."user"
    JOIN feed ON feed.vault_id = n.vault AND feed.user_id = n."user"`;
  await notifyFeeds(tx, [...new Set(notifications.map(({ user }) => user))]);
}

/** Adds to each notification its position within the batch among notifications of the same user, from 1. */
function numberPerUser(notifications: readonly NewNotification[]): (NewNotification & { nth: number })[] {
  const counts = new Map<string, number>();
  return notifications.map((notification) => {
    const key = `${notification.vault} ${notification.user}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return { ...notification, nth };
  });
}
