import type { NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';

/** Notifications that require an action are mailed by default. */
const MAILED_BY_DEFAULT = ['RUN_FAILED'];

export const DEFAULT_CONFIG = Object.fromEntries(
  NOTIFICATION_TYPES.map((type) => [type, { email: MAILED_BY_DEFAULT.includes(type), in_app: true }]),
) as NotificationConfig;
