import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import { roomOf, wakeWebhooks } from './wake-webhooks.js';

/** A message that is to be sent now. */
export interface Claim {
  /** Of the delivery, and of the webhook. */
  id: string;
  webhook: string;
  /** Of this attempt: what it comes to counts for as long as nobody else has it. */
  lease: string;
  body: string;
  kind: (typeof WEBHOOK_KINDS)[number];
  /** Sealed; the former secret only for as long as it counts. */
  url: Uint8Array;
  secret: Uint8Array | null;
  formerSecret: Uint8Array | null;
}

/** Twice as long as an attempt may take: whoever has not noted what came of it by then is dead. */
const LEASE_SECONDS = 30;

/**
 * Takes messages that are due, one of each webhook before the second of any. Webhooks that another copy is busy with are
 * left to it. They are held before what is under way is counted, so that the count is right whoever claims beside.
 * @param room how many at the most
 */
export async function claimDeliveries(tx: Transaction, room: number): Promise<Claim[]> {
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM notifications.webhook WHERE wake_at <= now()
    ORDER BY wake_at LIMIT ${room} FOR NO KEY UPDATE SKIP LOCKED`;
  if (held.length === 0) return [];
  const ids = held.map(({ id }) => id);
  const claims = await tx.$queryRaw<Claim[]>`
    WITH picked AS (
      SELECT due.id FROM notifications.webhook w CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY next_at, id) AS turn FROM (
          SELECT id, next_at FROM notifications.webhook_delivery WHERE webhook_id = w.id AND round = w.round AND next_at <= now()
          ORDER BY next_at, id LIMIT greatest(0, ${roomOf} - (
            SELECT count(*) FROM notifications.webhook_delivery u
            WHERE u.webhook_id = w.id AND u.lease IS NOT NULL AND u.next_at > now()))) first) due
      WHERE w.id = ANY(${ids}::uuid[]) ORDER BY due.turn, w.wake_at LIMIT ${room})
    UPDATE notifications.webhook_delivery d
    SET lease = gen_random_uuid(), next_at = clock_timestamp() + ${LEASE_SECONDS}::int * interval '1 second'
    FROM picked, notifications.webhook w WHERE d.id = picked.id AND w.id = d.webhook_id
    RETURNING d.id::text, w.id::text AS webhook, d.lease::text, d.body, w.kind, w.url, w.secret,
      CASE WHEN w.former_until > now() THEN w.former_secret END AS "formerSecret"`;
  await wakeWebhooks(tx, ids);
  return claims;
}
