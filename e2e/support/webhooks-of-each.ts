import { webhooks } from '@millrace/contracts/resources';
import type { RequestOf } from './sample-request.js';
import type { Account } from './sign-up.js';

/** A webhook for releases, which the organizers of the vault may see, and one of its deliveries. */
export interface Webhooks {
  webhook: string;
  delivery: string;
}

/** The domain never resolves (RFC 6761, section 6.4). */
const BODY = { name: 'Mine', url: 'https://webhooks.invalid/', events: ['workflow.released' as const] };

export async function makeWebhook({ client }: Account): Promise<Webhooks> {
  const { id: webhook } = await client.call(webhooks.createWebhook, { body: BODY });
  const { id: delivery } = await client.call(webhooks.testWebhook, { params: { id: webhook } });
  return { webhook, delivery };
}

type World = Webhooks & { owner: Account };

const ofWebhook: RequestOf<World> = ({ webhook }) => ({ params: { id: webhook } });
const ofDelivery: RequestOf<World> = ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } });

export const WEBHOOK_REQUESTS: Record<string, RequestOf<World>> = {
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
