import { mailNotification } from '@millrace/contracts/notifications/mail';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { insertNotifications, type Said } from './feed/insert-notifications.js';
import { findConfigs } from './preferences/find-configs.js';

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
    ...one,
    id: newId(),
    message: shorten(one.message),
    by: configOf(one)[one.type],
  }));
  for (const { id, vault, user, title, message, page, by } of wanted) {
    if (by.email) tx.enqueue(mailNotification, { id, vault, user, title, message, page });
  }
  await insertNotifications(
    tx,
    wanted.filter(({ by }) => by.in_app).map(({ by: _, page: __, ...notification }) => notification),
  );
}

const shorten = (message: string): string =>
  message.length > LONGEST ? `${message.slice(0, LONGEST).toWellFormed()}…` : message;
