import type { Result } from '@millrace/contracts/kit/operation';
import type { getWebhook } from '@millrace/contracts/notifications/webhooks';
import type { Webhook } from '@millrace/persistence/generated/client';
import type { WebhookCipher } from './webhook-cipher.js';

type WebhookRecord = Result<typeof getWebhook>;

export function toWebhook(row: Webhook, cipher: WebhookCipher): WebhookRecord {
  const kind = row.kind as WebhookRecord['kind'];
  return {
    id: row.id,
    name: row.name,
    kind,
    url: redactUrl(row, cipher),
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

/** The URL of a webhook as users see it. The path of a Slack URL is a credential and is left out. */
export function redactUrl({ kind, url }: Pick<Webhook, 'kind' | 'url'>, cipher: WebhookCipher): string {
  const fullUrl = cipher.decrypt(url);
  return kind === 'slack' ? `${new URL(fullUrl).origin}/…` : fullUrl;
}
