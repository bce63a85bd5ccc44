import { mailNotification } from '@millrace/contracts/notifications/mail';
import type { NotificationConfig } from '@millrace/contracts/notifications/notification-config';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { type NotificationContent, insertNotifications } from '../feed/insert-notifications.js';
import type { MailDetails } from '../mail/content/mail-details.js';
import { DEFAULT_CONFIG, readConfig } from '../preferences/merge-config.js';

export interface UserNotification extends NotificationContent {
  vault: string;
  user: string;
  /** How to notify this user; by default, as their preferences for the type say. */
  channels?: { email: boolean; in_app: boolean };
  /** Path of the page that the notification is about. */
  page: string;
  /** What only the mail has. */
  mail?: MailDetails;
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
  const addressed = notifications.map(({ channels, mail, ...notification }) => ({
    notification: { ...notification, id: newId(), message: shorten(notification.message) },
    mail,
    channels: channels ?? configOf(notification)[notification.type],
  }));
  const pick = (channel: 'email' | 'in_app') => addressed.filter(({ channels }) => channels[channel]);
  await enqueueMails(
    tx,
    pick('email').map(({ notification, mail }) => ({ ...notification, ...(mail && { details: mail }) })),
  );
  await insertNotifications(
    tx,
    pick('in_app').map(({ notification }) => notification),
  );
}

const shorten = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message;

interface NewMail {
  id: string;
  vault: string;
  user: string;
  title: string;
  message: string;
  page: string;
  details?: MailDetails;
}

/** Enqueues the mails of notifications. Their content stays in Postgres; the queue contains only the ids. */
async function enqueueMails(tx: Transaction, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO notifications.pending_mail (id, vault_id, user_id, title, message, page, details)
    SELECT id, vault, "user", title, message, page, details FROM jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) AS r(
      id uuid, vault uuid, "user" uuid, title text, message text, page text, details jsonb)`;
  for (const { id } of mails) tx.enqueue(mailNotification, { id }, { id });
}

interface Recipient {
  vault: string;
  user: string;
}

/** Finds the notification preferences of the recipients, in one query. */
async function findConfigs(
  tx: Pick<Transaction, '$queryRaw'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => NotificationConfig> {
  const pairs = recipients.map(({ vault, user }) => ({ vault, user }));
  const rows = await tx.$queryRaw<(Recipient & { config: unknown })[]>`
    SELECT p.vault_id::text AS vault, p.user_id::text AS "user", p.config
    FROM notifications.notification_preference p
    WHERE (p.vault_id, p.user_id) IN (
      SELECT vault, "user" FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS r(vault uuid, "user" uuid))`;
  const stored = new Map(rows.map(({ vault, user, config }) => [`${vault} ${user}`, readConfig(config)]));
  return ({ vault, user }) => stored.get(`${vault} ${user}`) ?? DEFAULT_CONFIG;
}
