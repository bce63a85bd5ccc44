import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import { roomOf, wakeWebhooks } from './wake-webhooks.js';

/** A message that is to be sent now. */
export interface Claim {
  /** Of the delivery, of the webhook, and of its vault. */
  id: string;
  webhook: string;
  vault: string;
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
 * Where one process has so much of a vault under way, each of the vault's webhooks has one message and no more: 32 at the most
 * with the 20 that a vault may have, so that a few vaults with slow receivers leave room for the others.
 */
export const PLENTY_OF_A_VAULT = 12;

/**
 * Takes messages that are due. Vaults take turns, those with the least under way here first, and in a vault its webhooks: one
 * of each before the second of any. Webhooks that another copy is busy with are left to it. They are held before what is under
 * way is counted, so that the count is right whoever claims beside.
 * @param room how many at the most
 * @param underWay how many of each vault, and of each webhook, this process has under way
 * @param sated webhooks that have to wait for an end of theirs
 */
export async function claimDeliveries(
  tx: Transaction,
  room: number,
  { underWay, sated }: { underWay: ReadonlyMap<string, number>; sated: readonly string[] },
): Promise<Claim[]> {
  const busy = JSON.stringify(Object.fromEntries(underWay));
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT w.id::text FROM notifications.webhook w JOIN (
      SELECT id, wake_at, coalesce((${busy}::jsonb->>vault_id::text)::int, 0)
        + row_number() OVER (PARTITION BY vault_id ORDER BY coalesce((${busy}::jsonb->>id::text)::int, 0), wake_at) AS place
      FROM notifications.webhook WHERE wake_at <= now() AND id <> ALL(${sated}::uuid[])) due ON due.id = w.id
    ORDER BY due.place, due.wake_at LIMIT ${room} FOR NO KEY UPDATE OF w SKIP LOCKED`;
  if (held.length === 0) return [];
  const ids = held.map(({ id }) => id);
  const claims = await tx.$queryRaw<Claim[]>`
    WITH due AS (
      SELECT w.vault_id, w.wake_at, d.id, d.turn + coalesce((${busy}::jsonb->>w.id::text)::int, 0) AS turn
      FROM notifications.webhook w CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY next_at, id) AS turn FROM (
          SELECT id, next_at FROM notifications.webhook_delivery
          WHERE webhook_id = w.id AND round = w.round AND next_at <= now()
          ORDER BY next_at, id LIMIT greatest(0, ${roomOf} - (
            SELECT count(*) FROM notifications.webhook_delivery u
            WHERE u.webhook_id = w.id AND u.lease IS NOT NULL AND u.next_at > now()))) first) d
      WHERE w.id = ANY(${ids}::uuid[])),
    placed AS (
      SELECT id, turn, wake_at, coalesce((${busy}::jsonb->>vault_id::text)::int, 0)
        + row_number() OVER (PARTITION BY vault_id ORDER BY turn, wake_at) AS place
      FROM due),
    picked AS (
      SELECT id FROM placed WHERE turn = 1 OR place <= ${PLENTY_OF_A_VAULT} ORDER BY place, wake_at LIMIT ${room})
    UPDATE notifications.webhook_delivery d
    SET lease = gen_random_uuid(), next_at = clock_timestamp() + ${LEASE_SECONDS}::int * interval '1 second'
    FROM picked, notifications.webhook w WHERE d.id = picked.id AND w.id = d.webhook_id
    RETURNING d.id::text, w.id::text AS webhook, w.vault_id::text AS vault, d.lease::text, d.body, w.kind, w.url, w.secret,
      CASE WHEN w.former_until > now() THEN w.former_secret END AS "formerSecret"`;
  await wakeWebhooks(tx, ids);
  return claims;
}
