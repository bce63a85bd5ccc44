import { ValidationError } from '@millrace/contracts/kit/api-error';
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
    ...(row.datasetId !== null && { dataset: row.datasetId }),
    ...(row.viewId !== null && { view: row.viewId }),
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

const REDACTED_PATH = /\/(…|%e2%80%a6)$/i;

/**
 * Whether `url` replaces the URL of a webhook. The webhook's own redacted URL, sent back, does not.
 * @throws ValidationError if it is the redacted URL of another webhook
 */
export function isNewUrl(url: string, before: Webhook, cipher: WebhookCipher): boolean {
  if (new URL(url).href === new URL(redactUrl(before, cipher)).href) return false;
  rejectRedactedUrl(url, before.kind);
  return true;
}

/** @throws ValidationError for a redacted Slack URL, which cannot be reached */
export function rejectRedactedUrl(url: string, kind: string): void {
  if (kind === 'slack' && REDACTED_PATH.test(url))
    throw new ValidationError({ 'body.url': 'must be the complete Slack URL (got the redacted one)' });
}
