import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  getDelivery,
  listDeliveries,
  redeliver,
  TEST_EVENT,
  testWebhook,
} from '@millrace/contracts/notifications/webhooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { WebhookDelivery } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import type { WebhookEvent } from '../messages/webhook-event.js';
import { WebhookPublisher, type NewDelivery } from '../messages/webhook-publisher.js';
import { findWebhook, lockWebhook } from '../settings/find-webhook.js';
import { deliveriesVisibleTo } from '../settings/webhook-visibility.js';
import { toAttempt, toDelivery } from './to-delivery.js';
import { notifyDispatchers, wakeWebhooks } from './wake-webhooks.js';

const MAX_LISTED_ATTEMPTS = 25;

@Controller()
export class DeliveriesController {
  constructor(
    private readonly database: Database,
    private readonly publisher: WebhookPublisher,
  ) {}

  @OperationHandler(listDeliveries)
  async list(
    { params, query }: Input<typeof listDeliveries>,
    { caller }: Context,
  ): Promise<Result<typeof listDeliveries>> {
    const { id: webhookId } = await findWebhook(this.database.client, params.id, caller);
    const { status, event, search } = query;
    const where = {
      ...{ webhookId, ...inVault(caller) },
      AND: [
        deliveriesVisibleTo(caller),
        { ...(status && { status }) },
        { ...(event && { event }) },
        searchFilter(search, ['event']),
      ],
    };
    const { webhookDelivery } = this.database.client;
    const [rows, count] = await Promise.all([
      webhookDelivery.findMany({ where, omit: { body: true }, ...pageArgs(query, { created_date: 'createdAt' }) }),
      webhookDelivery.count({ where }),
    ]);
    return { results: rows.map(toDelivery), count };
  }

  @OperationHandler(getDelivery)
  async get({ params }: Input<typeof getDelivery>, { caller }: Context): Promise<Result<typeof getDelivery>> {
    const { client } = this.database;
    const delivery = await findDelivery(client, params, caller);
    const attempts = await client.webhookAttempt.findMany({
      where: { deliveryId: delivery.id },
      orderBy: { number: 'desc' },
      take: MAX_LISTED_ATTEMPTS,
    });
    return { ...toDelivery(delivery), body: delivery.body, attempts: attempts.reverse().map(toAttempt) };
  }

  @OperationHandler(redeliver)
  async redeliver({ params }: Input<typeof redeliver>, { caller }: Context): Promise<Result<typeof redeliver>> {
    return this.database.transaction(async (tx) => {
      const webhook = await lockWebhook(tx, params.id, caller);
      const { id } = await findDelivery(tx, params, caller);
      // An attempt in flight counts as the redelivery; if it fails, all retries follow.
      await tx.$executeRaw`
        UPDATE notifications.webhook_delivery SET status = 'pending', step = 0, round = ${webhook.round}::int,
          lease = CASE WHEN next_at > now() THEN lease END,
          next_at = CASE WHEN lease IS NOT NULL AND next_at > now() THEN next_at ELSE now() END
        WHERE id = ${id}::uuid`;
      await wakeWebhooks(tx, [webhook.id]);
      await notifyDispatchers(tx);
      return toDelivery(await tx.webhookDelivery.findUniqueOrThrow({ where: { id } }));
    });
  }

  @OperationHandler(testWebhook)
  async test({ params }: Input<typeof testWebhook>, { caller }: Context): Promise<Result<typeof testWebhook>> {
    return this.database.transaction(async (tx) => {
      const { id: webhook, vaultId, name, kind } = await lockWebhook(tx, params.id, caller);
      const event: WebhookEvent = {
        type: TEST_EVENT,
        at: new Date().toISOString(),
        data: { webhook, name },
        summary: `The webhook "${name}" of Millrace works`,
      };
      const recipient: NewDelivery['webhook'] = { id: webhook, vaultId, kind: kind === 'slack' ? kind : 'standard' };
      const [id = ''] = await this.publisher.insert(tx, [{ webhook: recipient, event }]);
      return toDelivery(await tx.webhookDelivery.findUniqueOrThrow({ where: { id } }));
    });
  }
}

async function findDelivery(
  client: Pick<Transaction, 'webhook' | 'webhookDelivery'>,
  { id, deliveryId }: { id: string; deliveryId: string },
  caller: Caller,
): Promise<WebhookDelivery> {
  const webhook = await findWebhook(client, id, caller);
  const found = isId(deliveryId)
    ? await client.webhookDelivery.findFirst({
        where: { AND: [{ id: deliveryId, webhookId: webhook.id }, inVault(caller), deliveriesVisibleTo(caller)] },
      })
    : null;
  if (!found) throw new NotFoundError(`Delivery ${deliveryId}`);
  return found;
}
