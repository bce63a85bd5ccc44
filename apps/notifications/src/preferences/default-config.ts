import type { NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';

/** What waits for somebody is worth a mail; the rest is seen when they look. */
const MAILED = ['RUN_FAILED'];

export const DEFAULT_CONFIG = Object.fromEntries(
  NOTIFICATION_TYPES.map((type) => [type, { email: MAILED.includes(type), in_app: true }]),
) as NotificationConfig;
