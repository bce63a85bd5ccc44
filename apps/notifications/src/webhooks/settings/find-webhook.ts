import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { webhooksVisibleTo } from './webhook-visibility.js';

/** @throws NotFoundError if there is no such webhook or the caller may not see it */
export async function findWebhook(client: Pick<Transaction, 'webhook'>, id: string, caller: Caller): Promise<Webhook> {
  const found = isId(id)
    ? await client.webhook.findFirst({ where: { AND: [{ id }, inVault(caller), webhooksVisibleTo(caller)] } })
    : null;
  if (!found) throw new NotFoundError(`Webhook ${id}`);
  return found;
}

/** Finds a webhook and locks it to the end of the transaction, as every change of its deliveries requires. */
export async function lockWebhook(tx: Transaction, id: string, caller: Caller): Promise<Webhook> {
  await findWebhook(tx, id, caller);
  await tx.$queryRaw`SELECT 1 FROM notifications.webhook WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return findWebhook(tx, id, caller);
}
