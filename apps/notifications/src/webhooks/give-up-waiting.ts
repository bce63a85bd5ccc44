import type { Transaction } from '@millrace/persistence/database';

/** Ends what waits at a webhook that was disabled, for whoever holds it. What is under way settles by itself. */
export async function giveUpWaiting(tx: Transaction, webhook: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE notifications.webhook_delivery
    SET status = 'failed', next_at = NULL, lease = NULL, error = 'The webhook was disabled before this was delivered'
    WHERE webhook_id = ${webhook}::uuid AND next_at IS NOT NULL AND NOT (lease IS NOT NULL AND next_at > now())`;
}
