import { randomUUID } from 'node:crypto';
import { RetryLaterError } from '@millrace/messaging/jobs/job-errors';
import type { Transaction } from '@millrace/persistence/database';

type Client = Pick<Transaction, '$executeRaw' | '$queryRaw'>;

/** How long other processes leave a mail alone after its sender last renewed the lease. */
export const LEASE_MS = 30_000;
/** Delay before a retry if the mail may have been accepted: the mail server has finished with it by then. */
const UNKNOWN_OUTCOME_RETRY_MS = 3_600_000;

/** A mail that only this process sends while it renews the lease. */
export interface LeasedMail {
  id: string;
  lease: string;
}

/**
 * @returns null if the mail was already sent
 * @throws RetryLaterError if another process is sending it, or it may have been sent recently
 */
export async function leaseMail(client: Client, id: string): Promise<LeasedMail | null> {
  const lease = randomUUID();
  const leased = await client.$executeRaw`
    INSERT INTO notifications.sent_mail AS m (id, lease, held_until)
    VALUES (${id}::uuid, ${lease}::uuid, clock_timestamp() + ${LEASE_MS}::int * interval '1 ms')
    ON CONFLICT (id) DO UPDATE SET lease = excluded.lease, held_until = excluded.held_until, sent_at = now()
    WHERE m.held_until <= clock_timestamp()`;
  if (leased === 1) return { id, lease };
  const [row] = await client.$queryRaw<{ wait: number | null }[]>`
    SELECT extract(epoch FROM held_until - clock_timestamp())::float8 * 1000 AS wait
    FROM notifications.sent_mail WHERE id = ${id}::uuid`;
  if (row?.wait === null) return null;
  // If there is no row, the other process has just released the lease.
  throw new RetryLaterError(Math.max(0, row?.wait ?? 0) + 1_000);
}

/** @returns false if the lease was lost */
export async function renewMailLease(client: Client, { id, lease }: LeasedMail): Promise<boolean> {
  const renewed = await client.$executeRaw`
    UPDATE notifications.sent_mail SET held_until = clock_timestamp() + ${LEASE_MS}::int * interval '1 ms'
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
  return renewed === 1;
}

/** Marks a mail as sent, even if another process has the lease by now. */
export async function markSent(client: Client, { id }: LeasedMail): Promise<void> {
  await client.$executeRaw`
    INSERT INTO notifications.sent_mail (id) VALUES (${id}::uuid)
    ON CONFLICT (id) DO UPDATE SET lease = NULL, held_until = NULL, sent_at = now()`;
}

/** Blocks a mail with an unknown outcome for an hour. */
export async function markOutcomeUnknown(client: Client, { id, lease }: LeasedMail): Promise<void> {
  await client.$executeRaw`
    UPDATE notifications.sent_mail
    SET lease = NULL, held_until = clock_timestamp() + ${UNKNOWN_OUTCOME_RETRY_MS}::int * interval '1 ms'
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
}

/** Releases a mail that was not sent. */
export async function releaseMailLease(client: Client, { id, lease }: LeasedMail): Promise<void> {
  await client.$executeRaw`
    DELETE FROM notifications.sent_mail WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
}
