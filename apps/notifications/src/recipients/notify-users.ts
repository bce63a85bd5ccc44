import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { insertNotifications, type NotificationContent } from '../feed/insert-notifications.js';
import { enqueueMails } from '../mail/enqueue-mails.js';
import { findConfigs } from './find-configs.js';

export interface UserNotification extends NotificationContent {
  vault: string;
  user: string;
  /** Path of the page that the notification is about. */
  page: string;
}

/** In characters. The author of a run decides how long the error of a failed run is. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Notifies each user by the channels of their preferences: in the app, by mail, both or neither. The job of a mail is
 * enqueued in the transaction that stores the notification, with the same id. Call it last in a transaction, because it
 * calls `insertNotifications`.
 */
export async function notifyUsers(tx: Transaction, notifications: readonly UserNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const configOf = await findConfigs(tx, notifications);
  const addressed = notifications.map((notification) => ({
    notification: { ...notification, id: newId(), message: shorten(notification.message) },
    channels: configOf(notification)[notification.type],
  }));
  const pick = (channel: 'email' | 'in_app') =>
    addressed.filter(({ channels }) => channels[channel]).map(({ notification }) => notification);
  await enqueueMails(tx, pick('email'));
  await insertNotifications(tx, pick('in_app'));
}

const shorten = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message;
