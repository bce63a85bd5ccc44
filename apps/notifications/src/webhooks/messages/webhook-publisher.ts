import { Inject, Injectable } from '@nestjs/common';
import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import type { Webhook } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import { notifyDispatchers, wakeWebhooks } from '../deliveries/wake-webhooks.js';
import type { AddressedWebhookEvent, WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

type Subscription = Pick<
  Webhook,
  'id' | 'vaultId' | 'events' | 'workflowId' | 'spaceId' | 'datasetId' | 'viewId' | 'author'
> & {
  kind: 'standard' | 'slack';
};
export interface NewDelivery {
  webhook: Pick<Subscription, 'id' | 'vaultId' | 'kind'>;
  event: WebhookEvent;
}

/** Adds the deliveries of events to the webhooks that subscribe to them. */
@Injectable()
export class WebhookPublisher {
  private readonly publicUrl: string;

  constructor(@Inject(NOTIFICATIONS_ENV) { PUBLIC_URL }: NotificationsEnv) {
    this.publicUrl = PUBLIC_URL;
  }

  /** Publishes events to the webhooks of their vaults, in the transaction that handles the events, so that each is sent once. */
  async publish(tx: Transaction, events: readonly AddressedWebhookEvent[]): Promise<void> {
    if (events.length === 0) return;
    const vaults = [...new Set(events.map(({ vault }) => vault))];
    const webhooks = await tx.$queryRaw<Subscription[]>`
      SELECT id::text, vault_id::text AS "vaultId", kind, events, workflow_id::text AS "workflowId", space_id::text AS "spaceId",
        dataset_id::text AS "datasetId", view_id::text AS "viewId", author::text AS author
      FROM notifications.webhook WHERE vault_id = ANY(${vaults}::uuid[]) AND enabled ORDER BY id FOR NO KEY UPDATE`;
    const deliveries = events.flatMap((event) =>
      webhooks.filter((webhook) => isSubscribed(webhook, event)).map((webhook) => ({ webhook, event })),
    );
    await this.insert(tx, deliveries);
  }

  /** Inserts deliveries; the caller has locked the webhooks. @returns their ids, in order */
  async insert(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<string[]> {
    if (deliveries.length === 0) return [];
    const rows = deliveries.map(({ webhook, event }) => ({
      id: newId(),
      webhook: webhook.id,
      vault: webhook.vaultId,
      event: event.type,
      space: event.space ?? null,
      body: writeBody(webhook.kind, event, this.publicUrl),
    }));
    await tx.$executeRaw`
      INSERT INTO notifications.webhook_delivery (id, webhook_id, vault_id, event, space_id, body, round, next_at)
      SELECT r.id, r.webhook, r.vault, r.event, r.space, r.body, w.round, now()
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id uuid, webhook uuid, vault uuid, event text, space uuid, body text)
      JOIN notifications.webhook w ON w.id = r.webhook`;
    await wakeWebhooks(tx, [...new Set(rows.map(({ webhook }) => webhook))]);
    await notifyDispatchers(tx);
    return rows.map(({ id }) => id);
  }
}

function isSubscribed(webhook: Subscription, event: AddressedWebhookEvent): boolean {
  const { vaultId, events, workflowId, spaceId, author } = webhook;
  if (vaultId !== event.vault || !events.includes(event.type)) return false;
  if (event.authors?.has(author) === false || !isSubscribedToTable(webhook, event)) return false;
  return (workflowId === null || workflowId === event.workflow) && (spaceId === null || spaceId === event.space);
}

function isSubscribedToTable({ datasetId, viewId }: Subscription, { dataset, view }: AddressedWebhookEvent): boolean {
  return dataset === undefined || ((datasetId === null || datasetId === dataset) && viewId === view);
}

/** Writes the request body as JSON. Stored, so that every attempt signs and sends the same bytes. */
export function writeBody(kind: (typeof WEBHOOK_KINDS)[number], event: WebhookEvent, publicUrl: string): string {
  if (kind === 'slack') return JSON.stringify(writeSlackMessage(event, publicUrl));
  const { type, at, data, page, links = {} } = event;
  const toUrl = (path: string) => `${publicUrl.replace(/\/$/, '')}${path}`;
  const paths = { ...(page !== undefined && { url: page }), ...links };
  const urls = Object.fromEntries(Object.entries(paths).map(([field, path]) => [field, toUrl(path)]));
  return JSON.stringify({ type, timestamp: at, data: { ...data, ...urls } });
}
