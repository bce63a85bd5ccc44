import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { insertNotifications, type Said } from '../feed/insert-notifications.js';
import { orderMails } from '../mail/enqueue-mails.js';
import { findConfigs } from './find-configs.js';

export interface News extends Said {
  vault: string;
  user: string;
  /** Path of the page that it is about. */
  page: string;
}

/** Longest message, in characters: the reason of a failed run may be as long as the run's author likes. */
const LONGEST = 2_000;

/**
 * Notifies each user as they chose: in the app, by mail, both or not at all. A mail is ordered in the transaction that
 * stores the notification, under its id. Last in its transaction, as `insertNotifications` is.
 */
export async function tellUsers(tx: Transaction, news: readonly News[]): Promise<void> {
  if (news.length === 0) return;
  const configOf = await findConfigs(tx, news);
  const wanted = news.map((one) => ({
    notification: { ...one, id: newId(), message: shorten(one.message) },
    by: configOf(one)[one.type],
  }));
  const pick = (channel: 'email' | 'in_app') =>
    wanted.filter(({ by }) => by[channel]).map(({ notification }) => notification);
  await orderMails(tx, pick('email'));
  await insertNotifications(tx, pick('in_app'));
}

const shorten = (message: string): string =>
  message.length > LONGEST ? `${message.slice(0, LONGEST).toWellFormed()}…` : message;
