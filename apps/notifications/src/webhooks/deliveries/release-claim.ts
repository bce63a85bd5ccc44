import type { Transaction } from '@millrace/persistence/database';
import type { ClaimedDelivery } from './claim-deliveries.js';
import { notifyDispatchers, wakeWebhooks } from './wake-webhooks.js';

/** Releases a delivery whose attempt was aborted, so that another process sends it. The receiver may have got it already. */
export async function releaseClaim(tx: Transaction, { id, webhook, lease }: ClaimedDelivery): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM notifications.webhook WHERE id = ${webhook}::uuid FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE notifications.webhook_delivery SET lease = NULL, next_at = now()
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
  await wakeWebhooks(tx, [webhook]);
  await notifyDispatchers(tx);
}
