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
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { startReceiver, type Receiver } from './webhook-receiver.js';

export type WebhookBody = Request<typeof createWebhook>['body'];

/** A webhook of a vault that has no other, and its owner. */
export interface Subscribed {
  owner: Caller;
  id: string;
  secret: string;
}

/** Notifications with webhooks that may reach this machine's loopback; every space and workflow is there. */
export interface WebhookSystem extends System {
  runs: EventSource;
  /** Starts a receiver, until `closeReceivers`. */
  receive(react?: Receiver['react']): Promise<Receiver>;
  closeReceivers(): Promise<void>;
  subscribe(url: string, given?: Partial<WebhookBody>): Promise<Subscribed>;
  deliveriesOf(
    of: Subscribed,
    query?: Request<typeof listDeliveries>['query'],
  ): Promise<z.output<typeof listDeliveries.response>['results']>;
  /** Its only delivery, once that is in a status after so many attempts. */
  settled(of: Subscribed, status: string, attempts?: number): Promise<z.output<typeof getDelivery.response>>;
}

export async function startWebhookSystem(): Promise<WebhookSystem> {
  const system = await startApps([start], { EGRESS_ALLOW: '127.0.0.1' });
  const open: Receiver[] = [];
  const deliveriesOf: WebhookSystem['deliveriesOf'] = async ({ owner, id }, query = {}) =>
    (await system.callAs(owner, listDeliveries, { params: { id }, query })).results;
  const workflows = await system.play('workflows');
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
      for (const one of open.splice(0)) await one.close();
    },
    subscribe: async (url, given = {}) => {
      const owner = ownerCaller();
      const body: WebhookBody = { name: 'CI', url, events: ['run.completed', 'run.failed'] };
      const { id, secret = '' } = await system.callAs(owner, createWebhook, { body: { ...body, ...given } });
      return { owner, id, secret };
    },
    settled: (of, status, attempts = 1) =>
      eventually(async () => {
        const [only, ...more] = await deliveriesOf(of);
        expect(more).toEqual([]);
        expect(only).toMatchObject({ status, attempt_count: attempts });
        return system.callAs(of.owner, getDelivery, { params: { id: of.id, deliveryId: only?.id ?? '' } });
      }),
  };
}
