import type { ConfigChange, NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';
import { DEFAULT_CONFIG } from './default-config.js';

/** All types and channels: as changed, else as they were. */
export const mergeConfig = (former: NotificationConfig, change: ConfigChange): NotificationConfig =>
  Object.fromEntries(
    NOTIFICATION_TYPES.map((type) => [
      type,
      {
        email: change[type]?.email ?? former[type].email,
        in_app: change[type]?.in_app ?? former[type].in_app,
      },
    ]),
  ) as NotificationConfig;

/** What is stored, which may be from before there was some type; nothing, where nobody ever chose. */
export const readConfig = (stored: unknown): NotificationConfig => mergeConfig(DEFAULT_CONFIG, stored ?? {});
