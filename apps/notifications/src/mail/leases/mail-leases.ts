import { randomUUID } from 'node:crypto';
import { RetryLaterError } from '@millrace/messaging/jobs/retry-later-error';
import type { Transaction } from '@millrace/persistence/database';

type Client = Pick<Transaction, '$executeRaw' | '$queryRaw'>;

/** How long nobody else tries a mail whose sender is not heard of any more. */
export const LEASE_MS = 30_000;
/** Before a mail is tried again that may have been handed over: a mail server that is at it has ended by then. */
const UNKNOWN_MS = 3_600_000;

/** A mail that this process alone tries, as long as it renews the lease. */
export interface HeldMail {
  id: string;
  lease: string;
}

/**
 * @returns null where the mail has been handed over before
 * @throws RetryLaterError where another process is at it, or it may have been handed over not long ago
 */
export async function takeMail(client: Client, id: string): Promise<HeldMail | null> {
  const lease = randomUUID();
  const taken = await client.$executeRaw`
    INSERT INTO notifications.sent_mail AS m (id, lease, held_until)
    VALUES (${id}::uuid, ${lease}::uuid, clock_timestamp() + ${LEASE_MS}::int * interval '1 ms')
    ON CONFLICT (id) DO UPDATE SET lease = excluded.lease, held_until = excluded.held_until, sent_at = now()
    WHERE m.held_until <= clock_timestamp()`;
  if (taken === 1) return { id, lease };
  const [row] = await client.$queryRaw<{ wait: number | null }[]>`
    SELECT extract(epoch FROM held_until - clock_timestamp())::float8 * 1000 AS wait
    FROM notifications.sent_mail WHERE id = ${id}::uuid`;
  if (row?.wait === null) return null;
  // Where there is none any more, whoever was at it has just given it back.
  throw new RetryLaterError(Math.max(0, row?.wait ?? 0) + 1_000);
}

/** @returns false where the lease was lost */
export async function renewMail(client: Client, { id, lease }: HeldMail): Promise<boolean> {
  const renewed = await client.$executeRaw`
    UPDATE notifications.sent_mail SET held_until = clock_timestamp() + ${LEASE_MS}::int * interval '1 ms'
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
  return renewed === 1;
}

/** A mail that was handed over is, whoever has it by now. */
export async function noteSent(client: Client, { id }: HeldMail): Promise<void> {
  await client.$executeRaw`
    INSERT INTO notifications.sent_mail (id) VALUES (${id}::uuid)
    ON CONFLICT (id) DO UPDATE SET lease = NULL, held_until = NULL, sent_at = now()`;
}

/** Leaves a mail whose fate is unknown alone for an hour. */
export async function noteUnknown(client: Client, { id, lease }: HeldMail): Promise<void> {
  await client.$executeRaw`
    UPDATE notifications.sent_mail
    SET lease = NULL, held_until = clock_timestamp() + ${UNKNOWN_MS}::int * interval '1 ms'
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
}

/** Gives back a mail that was not handed over. */
export async function releaseMail(client: Client, { id, lease }: HeldMail): Promise<void> {
  await client.$executeRaw`
    DELETE FROM notifications.sent_mail WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
}
