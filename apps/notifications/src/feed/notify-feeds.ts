import type { Transaction } from '@millrace/persistence/database';

/** On which `FeedChanges` listens. */
export const CHANNEL = 'notification_feeds';

/** At the commit, whoever follows the notifications of these users learns that there is something new to ask for. */
export async function tellFeeds(tx: Pick<Transaction, '$executeRaw'>, users: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, u) FROM unnest(${users}::text[]) u`;
}
