import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';

/** What a notification says, whoever gets it. */
export interface Said {
  type: NotificationType;
  title: string;
  message: string;
  metadata: Record<string, string | number>;
}

export interface NewNotification extends Said {
  vault: string;
  user: string;
}

/** All of a batch in one statement; by hand, because Prisma's `createMany` is another one for each number of rows. */
export async function insertNotifications(tx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map((one) => ({ id: newId(), ...one }));
  await tx.$executeRaw`
    INSERT INTO notifications.notification (id, vault_id, user_id, type, title, message, metadata)
    SELECT id, vault, "user", type, title, message, metadata
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      id uuid, vault uuid, "user" uuid, type text, title text, message text, metadata jsonb)`;
}
