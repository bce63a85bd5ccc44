import { expect } from '@jest/globals';
import type { z } from 'zod';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { createWebhook, getDelivery, listDeliveries } from '@millrace/contracts/notifications/webhooks';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import type { FreshDatabase } from '@millrace/testkit/fresh-database';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { type Receiver, startReceiver } from './webhook-receiver.js';

export type WebhookBody = Request<typeof createWebhook>['body'];

/** The only webhook of a vault, and its owner. */
export interface TestWebhook {
  owner: Caller;
  id: string;
  secret: string;
}

/** The service with webhooks that may reach loopback; every space and workflow exists. */
export interface WebhookSystem extends System {
  runs: EventSource;
  /** Starts a receiver that runs until `closeReceivers`. */
  receive(react?: Receiver['react']): Promise<Receiver>;
  closeReceivers(): Promise<void>;
  subscribe(url: string, changes?: Partial<WebhookBody>): Promise<TestWebhook>;
  deliveriesOf(
    webhook: TestWebhook,
    query?: Request<typeof listDeliveries>['query'],
  ): Promise<z.output<typeof listDeliveries.response>['results']>;
  /** Waits until the only delivery has the status after so many attempts. */
  settled(webhook: TestWebhook, status: string, attempts?: number): Promise<z.output<typeof getDelivery.response>>;
}

export async function startWebhookSystem(): Promise<WebhookSystem> {
  const system = await startApps([start], { EGRESS_ALLOW: '127.0.0.1' });
  const open: Receiver[] = [];
  const deliveriesOf: WebhookSystem['deliveriesOf'] = async ({ owner, id }, query = {}) =>
    (await system.callAs(owner, listDeliveries, { params: { id }, query })).results;
  const workflows = await system.fake('workflows');
  workflows.on(findSpaceOf, () => ({ name: 'Space' }));
  workflows.on(locateWorkflow, ({ body }) => ({ id: (body as { workflow: string }).workflow, space: newId() }));
  return {
    ...system,
    deliveriesOf,
    runs: await system.sourceOf('runs'),
    receive: async (react) => {
      const receiver = await startReceiver(react);
      open.push(receiver);
      return receiver;
    },
    closeReceivers: async () => {
      for (const receiver of open.splice(0)) await receiver.close();
    },
    subscribe: async (url, changes = {}) => {
      const owner = ownerCaller();
      const body: WebhookBody = { name: 'CI', url, events: ['run.completed', 'run.failed'] };
      const { id, secret = '' } = await system.callAs(owner, createWebhook, { body: { ...body, ...changes } });
      return { owner, id, secret };
    },
    settled: (webhook, status, attempts = 1) =>
      eventually(async () => {
        const [only, ...more] = await deliveriesOf(webhook);
        expect(more).toEqual([]);
        expect(only).toMatchObject({ status, attempt_count: attempts });
        return system.callAs(webhook.owner, getDelivery, { params: { id: webhook.id, deliveryId: only?.id ?? '' } });
      }),
  };
}

/** Makes all pending deliveries due now, even those with an attempt in flight. */
export async function makeDeliveriesDue(database: FreshDatabase): Promise<void> {
  await database.query('UPDATE notifications.webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL');
  await database.query(`
    UPDATE notifications.webhook SET wake_at = now() WHERE id IN (
      SELECT webhook_id FROM notifications.webhook_delivery WHERE next_at IS NOT NULL)`);
  await database.query(`SELECT pg_notify('webhook_woken', '')`);
}
