import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';
import { deliveryUnseenBy } from './webhook-visibility.js';

/**
 * What waits goes to the address that the webhook has then, so a new one is for those who may see all of that.
 * @throws ForbiddenError
 */
export async function refuseTakingAway(
  tx: Transaction,
  { id: webhookId, round }: Pick<Webhook, 'id' | 'round'>,
  caller: Caller,
): Promise<void> {
  if (caller.spaces === 'all') return;
  const unseen = await tx.webhookDelivery.findFirst({
    where: { webhookId, round, nextAt: { not: null }, ...deliveryUnseenBy(caller) },
    select: { id: true },
  });
  if (unseen)
    throw new ForbiddenError('Messages wait here that tell what you may not see; disable the webhook, or ask an owner');
}
