import { webhooks } from '@millrace/sdk/resources';
import type { Ask } from './asked.js';
import type { Account } from './sign-up.js';

/** A webhook that tells of releases, which whoever organizes the vault may see, and a message of it. */
export interface Webhooks {
  webhook: string;
  delivery: string;
}

/** The domain resolves nowhere (RFC 6761, section 6.4). */
const BODY = { name: 'Mine', url: 'https://webhooks.invalid/', events: ['workflow.released' as const] };

export async function makeWebhook({ client }: Account): Promise<Webhooks> {
  const { id: webhook } = await client.call(webhooks.createWebhook, { body: BODY });
  const { id: delivery } = await client.call(webhooks.testWebhook, { params: { id: webhook } });
  return { webhook, delivery };
}

type World = Webhooks & { owner: Account };

const ofWebhook: Ask<World> = ({ webhook }) => ({ params: { id: webhook } });
const ofDelivery: Ask<World> = ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } });

export const WEBHOOK_ASKS: Record<string, Ask<World>> = {
  'notifications.webhooks.create': () => ({ body: BODY }),
  'notifications.webhooks.get': ofWebhook,
  'notifications.webhooks.update': ({ webhook }) => ({ params: { id: webhook }, body: { name: 'Changed' } }),
  'notifications.webhooks.delete': async ({ owner }) => ({ params: { id: (await makeWebhook(owner)).webhook } }),
  'notifications.webhooks.rotateSecret': ofWebhook,
  'notifications.webhooks.test': ofWebhook,
  'notifications.deliveries.list': ofWebhook,
  'notifications.deliveries.get': ofDelivery,
  'notifications.deliveries.redeliver': ofDelivery,
};
