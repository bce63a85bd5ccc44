import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';
import { deliveriesHiddenFrom } from './webhook-visibility.js';

/**
 * Pending messages are sent to the webhook's new URL, so only users who may see all of them may change it.
 * @throws ForbiddenError
 */
export async function requirePendingVisible(
  tx: Transaction,
  { id: webhookId, round }: Pick<Webhook, 'id' | 'round'>,
  caller: Caller,
): Promise<void> {
  if (caller.spaces === 'all') return;
  const hidden = await tx.webhookDelivery.findFirst({
    where: { webhookId, round, nextAt: { not: null }, ...deliveriesHiddenFrom(caller) },
    select: { id: true },
  });
  if (hidden)
    throw new ForbiddenError(
      'This webhook has pending messages that you may not see, which the new URL would receive. Disable the webhook first or ask an owner of the vault.',
    );
}
