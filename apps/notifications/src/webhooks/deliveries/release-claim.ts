import type { Transaction } from '@millrace/persistence/database';
import type { Claim } from './claim-deliveries.js';
import { tellCouriers, wakeWebhooks } from './wake-webhooks.js';

/** Gives back a message whose attempt was broken off, for another copy to send; what the receiver has of it is open. */
export async function releaseClaim(tx: Transaction, { id, webhook, lease }: Claim): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM notifications.webhook WHERE id = ${webhook}::uuid FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE notifications.webhook_delivery SET lease = NULL, next_at = now()
    WHERE id = ${id}::uuid AND lease = ${lease}::uuid`;
  await wakeWebhooks(tx, [webhook]);
  await tellCouriers(tx);
}
