import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import type { Transaction } from '@millrace/persistence/database';
import { tellFeeds } from './notify-feeds.js';

/** What a notification says, whoever gets it. */
export interface Said {
  type: NotificationType;
  title: string;
  message: string;
  metadata: Record<string, string | number | object>;
}

export interface NewNotification extends Said {
  id: string;
  vault: string;
  user: string;
}

/**
 * All of a batch in one statement; by hand, because Prisma's `createMany` is another one for each number of rows.
 *
 * Each gets the next number of its user. The row that counts them stays locked until the commit, so who reads up to some
 * number will never find a lower one later. It comes last in a transaction: nothing is waited for while it is held.
 */
export async function insertNotifications(tx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = JSON.stringify(numberEach(notifications));
  await tx.$executeRaw`
    WITH news AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS r(
        id uuid, vault uuid, "user" uuid, type text, title text, message text, metadata jsonb, nth int)
    ), counted AS (
      SELECT vault, "user", max(nth) AS number FROM news GROUP BY vault, "user"
    ), feed AS (
      INSERT INTO notifications.notification_feed AS f (vault_id, user_id, seq)
      SELECT vault, "user", number FROM counted ORDER BY vault, "user"
      ON CONFLICT (vault_id, user_id) DO UPDATE SET seq = f.seq + excluded.seq
      RETURNING vault_id, user_id, seq
    )
    INSERT INTO notifications.notification (id, vault_id, user_id, seq, type, title, message, metadata)
    SELECT n.id, n.vault, n."user", feed.seq - counted.number + n.nth, n.type, n.title, n.message, n.metadata
    FROM news n
    JOIN counted ON counted.vault = n.vault AND counted."user" = n."user"
    JOIN feed ON feed.vault_id = n.vault AND feed.user_id = n."user"`;
  await tellFeeds(tx, [...new Set(notifications.map(({ user }) => user))]);
}

/** Each with how many of the same user come up to it. */
function numberEach(notifications: readonly NewNotification[]): (NewNotification & { nth: number })[] {
  const counts = new Map<string, number>();
  return notifications.map((one) => {
    const whose = `${one.vault} ${one.user}`;
    const nth = (counts.get(whose) ?? 0) + 1;
    counts.set(whose, nth);
    return { ...one, nth };
  });
}
