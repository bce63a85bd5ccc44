import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { name, text, timestamp, idOf, pathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

/** Events of runs, sent only to webhooks whose author may see the runs. */
export const RUN_EVENTS = [
  'run.completed',
  'run.failed',
  'run.stopped',
  'run.stalled',
  'approval.requested',
  'approval.decided',
  'schedule.refused',
] as const;
/** Events of Live Tables, for those who may see their space. */
export const TABLE_EVENTS = ['table.changed'] as const;
/** Events that show what happens in a space. */
export const SPACE_EVENTS = [...RUN_EVENTS, ...TABLE_EVENTS] as const;
/** Events of the library, which every member of the vault sees. */
export const RELEASE_EVENTS = ['workflow.released', 'tool.released', 'script.released'] as const;
/** Events about whether the vault may start runs, for members who may see its usage. */
export const BILLING_EVENTS = ['billing.restricted', 'billing.released'] as const;
export const WEBHOOK_EVENTS = [...SPACE_EVENTS, ...RELEASE_EVENTS, ...BILLING_EVENTS] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/**
 * `standard` follows Standard Webhooks 1.0 (standardwebhooks.com); `slack` sends the format of Slack's incoming
 * webhooks.
 */
export const WEBHOOK_KINDS = ['standard', 'slack'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Event of a delivery that a user requests to test a webhook. */
export const TEST_EVENT = 'webhook.test';
const deliveredEvent = z.enum([...WEBHOOK_EVENTS, TEST_EVENT]);

const target = text(2_000, 1)
  .superRefine((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) context.addIssue('must be an http or https URL');
    else if (url.username !== '' || url.password !== '') context.addIssue('must not contain a user name or password');
  })
  .describe('http or https URL that gets a POST request for each event; without user name and password');
const subscribed = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(50)
  .transform((events) => [...new Set(events)])
  .describe('Types of events to send, at least one');
const enabled = z.boolean().describe('Whether events are sent');
const workflow = z.uuid().describe('Send only events of this workflow');
const space = z.uuid().describe('Send only events in this space');
const dataset = z.uuid().describe('Send `table.changed` only for this Live Table');
const view = z.uuid().describe('Send `table.changed` only if new or changed rows match this view of a Live Table');

export const webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(WEBHOOK_KINDS),
    url: z.string().describe('For kind `slack`, without the path, which is a credential'),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    workflow: z.string().optional(),
    space: z.string().optional(),
    dataset: z.string().optional(),
    view: z.string().optional(),
    enabled: z.boolean(),
    disabled_reason: z.string().optional().describe('Why Millrace disabled it; absent if a user did'),
    failing_since: timestamp.optional().describe('No delivery has succeeded since'),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Webhook' });

const withSecret = webhook
  .extend({
    secret: z
      .string()
      .optional()
      .describe('`whsec_` followed by base64, shown only once. Webhooks of kind `slack` have none'),
  })
  .meta({ id: 'WebhookWithSecret' });

const access = requires('vault.integrate');
const additionalPermissions = {
  'for billing events': 'vault.administer',
  'for run and table events': 'space.see',
} as const;

export const listWebhooks = operation('notifications.webhooks.list', {
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks of the vault that you may see',
  description:
    'Webhooks with events that you may not see are left out. Secrets are not part of the response. `search` ' +
    'looks in names.',
  access,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(webhook),
  list: 'nullable-links',
});

export const createWebhook = operation('notifications.webhooks.create', {
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook that sends events of the vault to a URL',
  description:
    'A vault can have 20 webhooks. Unless you may enter every space, events of runs and tables require a `space` that you may ' +
    'read, and billing events are not available. URLs outside the public internet are rejected unless the operator ' +
    'allows them.',
  access,
  additionalPermissions,
  body: z.strictObject({
    name,
    url: target,
    kind: z
      .enum(WEBHOOK_KINDS)
      .default('standard')
      .describe(
        '`standard` signs messages by Standard Webhooks 1.0; `slack` sends the format of incoming webhooks of Slack',
      ),
    events: subscribed,
    workflow: workflow.optional(),
    space: space.optional(),
    dataset: dataset.optional(),
    view: view.optional(),
    enabled: enabled.default(true),
  }),
  response: withSecret,
  status: 201,
  secret: true,
});

export const getWebhook = operation('notifications.webhooks.get', {
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Get a webhook, without its secret',
  description:
    '`failing_since` and `disabled_reason` say whether it works. A webhook with events that you may not see is 404.',
  access,
  params: idOf('webhook'),
  response: webhook,
});

export const updateWebhook = operation('notifications.webhooks.update', {
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Update a webhook',
  description: 'Disabling a webhook abandons its pending deliveries.',
  access,
  additionalPermissions,
  params: idOf('webhook'),
  body: z.strictObject({
    name: name.optional(),
    url: target.optional(),
    events: subscribed.optional(),
    workflow: workflow.nullable().optional(),
    space: space.nullable().optional(),
    dataset: dataset.nullable().optional(),
    view: view.nullable().optional(),
    enabled: enabled.optional(),
  }),
  response: webhook,
});

export const deleteWebhook = operation('notifications.webhooks.delete', {
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook with its deliveries',
  description: 'Its pending deliveries are not sent. A message that is being sent is not recalled.',
  access,
  params: idOf('webhook'),
  response: z.null(),
  status: 204,
});

export const rotateWebhookSecret = operation('notifications.webhooks.rotateSecret', {
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Create a new secret for a webhook',
  description: 'For 24 hours, messages are signed with the previous secret as well.',
  access,
  params: idOf('webhook'),
  response: withSecret,
  secret: true,
});

export const delivery = z
  .object({
    id: z.string().describe('The `webhook-id` header of every attempt'),
    webhook: z.string(),
    event: deliveredEvent,
    status: z.enum(DELIVERY_STATUSES),
    attempt_count: z.number().int(),
    response_status: z
      .number()
      .int()
      .optional()
      .describe('HTTP status of the last attempt; absent if there was no response'),
    error: z.string().optional().describe('Why the last attempt failed'),
    created_date: timestamp,
    last_attempt_date: timestamp.optional(),
    next_attempt_date: timestamp.optional(),
  })
  .meta({ id: 'WebhookDelivery' });

const headers = z.record(z.string(), z.string());

const attempt = z
  .object({
    number: z.number().int(),
    created_date: timestamp,
    duration_ms: z.number().int(),
    request: z.object({ headers }),
    response: z
      .object({
        status: z.number().int(),
        headers,
        body: z.string().describe('First 16 KiB, as UTF-8'),
        truncated: z.boolean(),
      })
      .optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'WebhookAttempt' });

export const testWebhook = operation('notifications.webhooks.test', {
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a test message (`webhook.test`)',
  description: 'Also works while the webhook is disabled.',
  access,
  params: idOf('webhook'),
  response: delivery,
  status: 201,
});

export const listDeliveries = operation('notifications.deliveries.list', {
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'List deliveries of a webhook',
  description: 'Includes pending deliveries. Deliveries are kept for 30 days.',
  access,
  params: idOf('webhook'),
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: {
      status: z.enum(DELIVERY_STATUSES).optional().describe('Return only deliveries with this status'),
      event: deliveredEvent.optional().describe('Return only deliveries of this event'),
    },
  }),
  response: pageOf(delivery),
  list: 'nullable-links',
});

const deliveryParams = idOf('webhook').extend({ deliveryId: pathId('delivery') });

export const getDelivery = operation('notifications.deliveries.get', {
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'Get a delivery with its request body and its last 25 attempts',
  description:
    'Shows the headers and the start of the response of each attempt. A delivery of an event that you may not ' +
    'see is 404.',
  access,
  params: deliveryParams,
  response: delivery
    .extend({ body: z.string().describe('Request body, identical in every attempt'), attempts: z.array(attempt) })
    .meta({ id: 'WebhookDeliveryWithAttempts' }),
});

export const redeliver = operation('notifications.deliveries.redeliver', {
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send a message again',
  description: 'The message has the same `webhook-id` and all retries. Also works while the webhook is disabled.',
  access,
  params: deliveryParams,
  response: delivery,
});

/** A webhook was created, changed or deleted, or its secret was rotated; for the audit log. */
export const webhookChanged = event('notifications.webhook.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    change: z.enum(['created', 'changed', 'deleted', 'secret_rotated']),
    vault: z.uuid(),
    user: z.uuid(),
    webhook: z.uuid(),
    name: z.string(),
    fields: z
      .array(z.string())
      .optional()
      .describe('Changed fields without their values, because a URL may be a credential'),
    address: z.string().optional(),
    agent: z.string().optional(),
  }),
});
