import * as follows from '../notifications/follows.js';
import * as mail from '../notifications/mail.js';
import * as notificationConfig from '../notifications/notification-config.js';
import * as notifications from '../notifications/notifications.js';
import * as tableNotifications from '../notifications/table-changes.js';
import * as tableFollows from '../notifications/table-follows.js';
import * as webhooks from '../notifications/webhooks.js';
import { collect } from './collect.js';

/** What the service notifications declares. */
export const notificationsContracts = collect([
  notifications,
  notificationConfig,
  follows,
  mail,
  tableNotifications,
  tableFollows,
  webhooks,
]);
