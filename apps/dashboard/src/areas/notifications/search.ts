import { readChoice, withoutEmpty } from '../../routing/read-search.js';
import { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';

/** What the address of the notifications contains. */
export interface NotificationsSearch {
  /** Absent for the list. */
  tab?: 'settings';
  /** Whether only unseen ones are listed. */
  unseen?: 'true';
  type?: NotificationType;
}

export function readNotificationsSearch({ tab, unseen, type }: Record<string, unknown>): NotificationsSearch {
  return withoutEmpty({
    tab: readChoice(tab, ['settings'] as const),
    unseen: readChoice(unseen, ['true'] as const),
    type: readChoice(type, NOTIFICATION_TYPES),
  });
}
