import type { Result } from '@millrace/contracts/kit/operation';
import type { getWebhook } from '@millrace/contracts/notifications/webhooks';
import type { Webhook } from '@millrace/persistence/generated/client';
import type { WebhookSeal } from './webhook-cipher.js';

type WebhookRecord = Result<typeof getWebhook>;

export function toWebhook(row: Webhook, seal: WebhookSeal): WebhookRecord {
  const kind = row.kind as WebhookRecord['kind'];
  return {
    id: row.id,
    name: row.name,
    kind,
    url: redactUrl(row, seal),
    events: row.events as WebhookRecord['events'],
    ...(row.workflowId !== null && { workflow: row.workflowId }),
    ...(row.spaceId !== null && { space: row.spaceId }),
    enabled: row.enabled,
    ...(row.disabledReason !== null && { disabled_reason: row.disabledReason }),
    ...(row.failingSince && { failing_since: row.failingSince.toISOString() }),
    author: row.author,
    created_date: row.createdAt.toISOString(),
    modified_date: row.modifiedAt.toISOString(),
  };
}

/** What people see of a webhook's URL; that of Slack is a credential, all but its origin. */
export function redactUrl({ kind, url }: Pick<Webhook, 'kind' | 'url'>, seal: WebhookSeal): string {
  const whole = seal.decrypt(url);
  return kind === 'slack' ? `${new URL(whole).origin}/…` : whole;
}
