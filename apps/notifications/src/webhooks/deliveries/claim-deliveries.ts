import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import { maxConcurrentDeliveries, notifyDispatchers, wakeWebhooks } from './wake-webhooks.js';

/** A delivery that this process sends now. */
export interface ClaimedDelivery {
  /** Ids of the delivery, of the webhook, and of its vault. */
  id: string;
  webhook: string;
  vault: string;
  /** Id of this attempt. Its failure counts only while no other process has claimed the delivery. */
  lease: string;
  body: string;
  kind: (typeof WEBHOOK_KINDS)[number];
  /** Encrypted. `formerSecret` is present only while it is valid. */
  url: Uint8Array;
  secret: Uint8Array | null;
  formerSecret: Uint8Array | null;
}

/**
 * Above this number of concurrent deliveries of a vault, each of its webhooks has at most one. With the 20 webhooks that a
 * vault may have, that is at most 32 per process, so that a few vaults with slow receivers leave capacity for the others.
 */
export const MAX_CONCURRENT_PER_VAULT = 12;

/**
 * Claims deliveries that are due, fairly: vaults with the fewest deliveries in flight here come first, and within a vault
 * each webhook gets one delivery before any gets a second. Skips webhooks that another process has locked. Locks webhooks
 * before it counts their deliveries in flight, so that concurrent claims do not change the count.
 * @param limit maximum number of claims
 * @param leaseSeconds after this time without an outcome the process counts as crashed, and others may claim the deliveries
 * @param inFlight deliveries that this process has in flight, per vault and per webhook
 * @param saturated webhooks that must wait until one of their deliveries has ended
 */
export async function claimDeliveries(
  tx: Transaction,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
  { inFlight, saturated }: { inFlight: ReadonlyMap<string, number>; saturated: readonly string[] },
): Promise<ClaimedDelivery[]> {
  const busy = JSON.stringify(Object.fromEntries(inFlight));
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT w.id::text FROM notifications.webhook w JOIN (
      SELECT id, wake_at, coalesce((${busy}::jsonb->>vault_id::text)::int, 0)
        + row_number() OVER (PARTITION BY vault_id ORDER BY coalesce((${busy}::jsonb->>id::text)::int, 0), wake_at) AS place
      FROM notifications.webhook WHERE wake_at <= now() AND id <> ALL(${saturated}::uuid[])) due ON due.id = w.id
    ORDER BY due.place, due.wake_at LIMIT ${limit} FOR NO KEY UPDATE OF w SKIP LOCKED`;
  if (locked.length === 0) return [];
  const ids = locked.map(({ id }) => id);
  const claims = await tx.$queryRaw<ClaimedDelivery[]>`
    WITH due AS (
      SELECT w.vault_id, w.wake_at, d.id, d.turn + coalesce((${busy}::jsonb->>w.id::text)::int, 0) AS turn
      FROM notifications.webhook w CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY next_at, id) AS turn FROM (
          SELECT id, next_at FROM notifications.webhook_delivery
          WHERE webhook_id = w.id AND round = w.round AND next_at <= now()
          ORDER BY next_at, id LIMIT greatest(0, ${maxConcurrentDeliveries} - (
            SELECT count(*) FROM notifications.webhook_delivery u
            WHERE u.webhook_id = w.id AND u.lease IS NOT NULL AND u.next_at > now()))) first) d
      WHERE w.id = ANY(${ids}::uuid[])),
    placed AS (
      SELECT id, turn, wake_at, coalesce((${busy}::jsonb->>vault_id::text)::int, 0)
        + row_number() OVER (PARTITION BY vault_id ORDER BY turn, wake_at) AS place
      FROM due),
    picked AS (
      SELECT id FROM placed WHERE turn = 1 OR place <= ${MAX_CONCURRENT_PER_VAULT} ORDER BY place, wake_at LIMIT ${limit})
    UPDATE notifications.webhook_delivery d
    SET lease = gen_random_uuid(), next_at = clock_timestamp() + ${leaseSeconds}::int * interval '1 second'
    FROM picked, notifications.webhook w WHERE d.id = picked.id AND w.id = d.webhook_id
    RETURNING d.id::text, w.id::text AS webhook, w.vault_id::text AS vault, d.lease::text, d.body, w.kind, w.url, w.secret,
      CASE WHEN w.former_until > now() THEN w.former_secret END AS "formerSecret"`;
  await wakeWebhooks(tx, ids);
  return claims;
}

/** Releases a delivery whose attempt was aborted, so that another process sends it. The receiver may have got it already. */
export async function releaseClaim(tx: Transaction, { id, webhook, lease }: ClaimedDelivery): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM notifications.webhook WHERE id = ${webhook}::uuid FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE notifications.webhook_delivery SET lease = NULL, next_at = now()
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
  await wakeWebhooks(tx, [webhook]);
  await notifyDispatchers(tx);
}
