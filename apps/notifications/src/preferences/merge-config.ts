import type { ConfigChange, NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';

/** Notifications that require an action are mailed by default. */
const MAILED_BY_DEFAULT = ['RUN_FAILED'];

export const DEFAULT_CONFIG = Object.fromEntries(
  NOTIFICATION_TYPES.map((type) => [type, { email: MAILED_BY_DEFAULT.includes(type), in_app: true }]),
) as NotificationConfig;

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
