import type { ConfigChange, NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';
import { DEFAULT_CONFIG } from './default-config.js';

/** Applies a change to a complete configuration: all types and channels, unchanged unless the change names them. */
export const mergeConfig = (current: NotificationConfig, change: ConfigChange): NotificationConfig =>
  Object.fromEntries(
    NOTIFICATION_TYPES.map((type) => [
      type,
      {
        email: change[type]?.email ?? current[type].email,
        in_app: change[type]?.in_app ?? current[type].in_app,
      },
    ]),
  ) as NotificationConfig;

/** Reads a stored configuration; fills in the defaults for types added later, or if nothing is stored. */
export const readConfig = (stored: unknown): NotificationConfig => mergeConfig(DEFAULT_CONFIG, stored ?? {});
