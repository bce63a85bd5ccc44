import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idParams, name, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

/** What happens in runs, told to nobody who may not see them. */
export const RUN_EVENTS = ['run.completed', 'run.failed', 'run.stopped', 'schedule.refused'] as const;
/** What everybody of the vault sees in its library anyway. */
export const RELEASE_EVENTS = ['workflow.released', 'tool.released', 'script.released'] as const;
/** Whether the vault may start runs; for those who see what it uses. */
export const BILLING_EVENTS = ['billing.restricted', 'billing.released'] as const;
export const WEBHOOK_EVENTS = [...RUN_EVENTS, ...RELEASE_EVENTS, ...BILLING_EVENTS] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** `standard` is Standard Webhooks 1.0 (standardwebhooks.com); `slack` what Slack's incoming webhooks take. */
export const WEBHOOK_KINDS = ['standard', 'slack'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** The event of a delivery that somebody asked for to see whether a webhook works. */
export const TEST_EVENT = 'webhook.test';
const deliveredEvent = z.enum([...WEBHOOK_EVENTS, TEST_EVENT]);

const target = text(2_000, 1).superRefine((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) context.addIssue('must be an http or https URL');
  else if (url.username !== '' || url.password !== '') context.addIssue('must not hold a name and a password');
});
const subscribed = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(50)
  .transform((events) => [...new Set(events)]);
const workflow = z.uuid().describe('Only what happens to this workflow');
const space = z.uuid().describe('Only what happens in this space');

export const webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(WEBHOOK_KINDS),
    url: z.string().describe('Of kind `slack` without its path, which is a credential'),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    workflow: z.string().optional(),
    space: z.string().optional(),
    enabled: z.boolean(),
    disabled_reason: z.string().optional().describe('Where it was not a person who disabled it'),
    failing_since: timestamp.optional().describe('Nothing has been delivered since'),
    author: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Webhook' });

const withSecret = webhook
  .extend({ secret: z.string().optional().describe('`whsec_` and base64; shown here alone. Kind `slack` has none') })
  .meta({ id: 'WebhookWithSecret' });

const access = requires('vault.integrate');
const additionalPermissions = {
  'for events of billing': 'vault.administer',
  'for events of runs': 'space.see',
} as const;

export const listWebhooks = operation('notifications.webhooks.list', {
  method: 'GET',
  path: '/webhooks',
  summary: 'Webhooks of the vault that the caller may see',
  access,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(webhook),
  list: 'nullable-links',
});

export const createWebhook = operation('notifications.webhooks.create', {
  method: 'POST',
  path: '/webhooks',
  summary: 'Have events of the vault sent to a URL',
  description:
    'A vault has 20 at the most. Who does not enter every space may have events of runs sent only with a `space` that they ' +
    'may read, and none of billing. Addresses that are not of the public internet are refused unless the operator allows them.',
  access,
  additionalPermissions,
  body: z.strictObject({
    name,
    url: target,
    kind: z.enum(WEBHOOK_KINDS).default('standard'),
    events: subscribed,
    workflow: workflow.optional(),
    space: space.optional(),
    enabled: z.boolean().default(true),
  }),
  response: withSecret,
  status: 201,
  secret: true,
});

export const getWebhook = operation('notifications.webhooks.get', {
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'A webhook, without its secret',
  access,
  params: idParams,
  response: webhook,
});

export const updateWebhook = operation('notifications.webhooks.update', {
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Change a webhook; one that is disabled gives up what waits to be delivered',
  access,
  additionalPermissions,
  params: idParams,
  body: z.strictObject({
    name: name.optional(),
    url: target.optional(),
    events: subscribed.optional(),
    workflow: workflow.nullable().optional(),
    space: space.nullable().optional(),
    enabled: z.boolean().optional(),
  }),
  response: webhook,
});

export const deleteWebhook = operation('notifications.webhooks.delete', {
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook with its deliveries',
  access,
  params: idParams,
  response: z.null(),
  status: 204,
});

export const rotateWebhookSecret = operation('notifications.webhooks.rotateSecret', {
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Give a webhook a new secret; for 24 hours messages are signed with the former one, too',
  access,
  params: idParams,
  response: withSecret,
  secret: true,
});

export const delivery = z
  .object({
    id: z.string().describe('The `webhook-id` of each of its attempts'),
    webhook: z.string(),
    event: deliveredEvent,
    status: z.enum(DELIVERY_STATUSES),
    attempt_count: z.number().int(),
    response_status: z.number().int().optional().describe('Of the last attempt, where there was an answer'),
    error: z.string().optional().describe('What was wrong with the last attempt'),
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
        body: z.string().describe('The first 16 KiB, as UTF-8'),
        truncated: z.boolean(),
      })
      .optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'WebhookAttempt' });

export const testWebhook = operation('notifications.webhooks.test', {
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a message of type `webhook.test`, also where the webhook is disabled',
  access,
  params: idParams,
  response: delivery,
  status: 201,
});

export const listDeliveries = operation('notifications.deliveries.list', {
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'What was, is being and will be sent by a webhook; kept for 30 days',
  access,
  params: idParams,
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: { status: z.enum(DELIVERY_STATUSES).optional(), event: deliveredEvent.optional() },
  }),
  response: pageOf(delivery),
  list: 'nullable-links',
});

const deliveryParams = idParams.extend({ deliveryId: z.string() });

export const getDelivery = operation('notifications.deliveries.get', {
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'A delivery with the body of its request and its last 25 attempts',
  access,
  params: deliveryParams,
  response: delivery
    .extend({ body: z.string().describe('Of the request, the same in each attempt'), attempts: z.array(attempt) })
    .meta({ id: 'WebhookDeliveryWithAttempts' }),
});

export const redeliver = operation('notifications.deliveries.redeliver', {
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send a message again, under the same `webhook-id`, with all retries; also where the webhook is disabled',
  access,
  params: deliveryParams,
  response: delivery,
});

/** A webhook was made, changed or deleted, or has a new secret; for the audit log. */
export const webhookChanged = event('notifications.webhook.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    change: z.enum(['created', 'changed', 'deleted', 'secret_rotated']),
    vault: z.uuid(),
    user: z.uuid(),
    webhook: z.uuid(),
    name: z.string(),
    fields: z.array(z.string()).optional().describe('Which were changed; not to what, for a URL may be a credential'),
    address: z.string().optional(),
  }),
});
