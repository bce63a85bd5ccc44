import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { seenBy } from './webhook-visibility.js';

/** @throws NotFoundError also for one that the caller may not see */
export async function findWebhook(client: Pick<Transaction, 'webhook'>, id: string, caller: Caller): Promise<Webhook> {
  const found = isId(id)
    ? await client.webhook.findFirst({ where: { AND: [{ id }, inVault(caller), seenBy(caller)] } })
    : null;
  if (!found) throw new NotFoundError('Webhook');
  return found;
}

/** The same, held to the end of the transaction: whoever changes a webhook's deliveries holds it. */
export async function holdWebhook(tx: Transaction, id: string, caller: Caller): Promise<Webhook> {
  await findWebhook(tx, id, caller);
  await tx.$queryRaw`SELECT 1 FROM notifications.webhook WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findWebhook(tx, id, caller);
}
