import type { Transaction } from '@millrace/persistence/database';

/** The Postgres channel of `FeedChangesService`. */
export const FEEDS_CHANNEL = 'notification_feeds';

/** Notifies, at the commit, the streams of these users that their notifications have changed. */
export async function notifyFeeds(tx: Pick<Transaction, '$executeRaw'>, users: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${FEEDS_CHANNEL}, u) FROM unnest(${users}::text[]) u`;
}
