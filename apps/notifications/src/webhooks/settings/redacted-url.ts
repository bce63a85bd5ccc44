import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Webhook } from '@millrace/persistence/generated/client';
import { redactUrl } from './to-webhook.js';
import type { WebhookCipher } from './webhook-cipher.js';

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
