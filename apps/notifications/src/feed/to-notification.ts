import type { Result } from '@millrace/contracts/kit/operation';
import type { listNotifications, NotificationType } from '@millrace/contracts/notifications/notifications';
import type { Notification } from '@millrace/persistence/generated/client';

type NotificationRecord = Result<typeof listNotifications>['results'][number];

export function toNotification(row: Notification): NotificationRecord {
  return {
    id: row.id,
    notification_type: row.type as NotificationType,
    type: row.kind ?? row.type,
    title: row.title,
    message: row.message,
    seen: row.seen,
    is_read: row.seen,
    user_id: row.userId,
    metadata: row.metadata as Record<string, unknown>,
    created_date: row.createdAt.toISOString(),
  };
}
