import type { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { Prisma } from '@millrace/persistence/generated/client';

const DAY_MS = 86_400_000;
/** Inbox entries are kept longer than events by this factor, so no duplicate outlives them. */
const INBOX_FACTOR = 3;
const RESPONSE_DAYS = 1;
export const DEFAULT_DEAD_LETTER_DAYS = 30;

/**
 * Deletes what the messages of a service no longer need: events in the outbox that the broker has dropped, too, inbox
 * entries of events that cannot arrive again, old dead letters, and responses to requests with an idempotency key. An event that could not be
 * published yet stays, however old it is.
 * @param retentionMs how long events are kept
 * @param deadLetterDays how long events and jobs that failed for good are kept
 */
export async function deleteExpired(
  { client, service }: Database,
  retentionMs: number,
  deadLetterDays = DEFAULT_DEAD_LETTER_DAYS,
): Promise<void> {
  const days = retentionMs / DAY_MS;
  await deleteInBatches(
    client,
    'messaging.outbox',
    Prisma.sql`service = ${service} AND ${isOlderThanDays('created_at', days)} AND ${isOlderThanDays('relayed_at', days)}`,
  );
  await deleteInBatches(
    client,
    'messaging.inbox',
    Prisma.sql`starts_with(consumer, ${`${service}_`}) AND ${isOlderThanDays('created_at', INBOX_FACTOR * days)}`,
  );
  await deleteInBatches(
    client,
    'messaging.dead_letter',
    Prisma.sql`service = ${service} AND ${isOlderThanDays('failed_at', deadLetterDays)}`,
  );
  await deleteInBatches(client, 'messaging.idempotent_request', isOlderThanDays('created_at', RESPONSE_DAYS));
}
