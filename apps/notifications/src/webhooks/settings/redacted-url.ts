import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Webhook } from '@millrace/persistence/generated/client';
import { redactUrl } from './to-webhook.js';
import type { WebhookSeal } from './webhook-cipher.js';

const SHOWN = /\/(…|%e2%80%a6)$/i;

/**
 * Whether a URL is to take the place of that of a webhook. What was shown of it, written back, is none.
 * @throws ValidationError where it is what is shown of that of another
 */
export function isAnother(url: string, before: Webhook, seal: WebhookSeal): boolean {
  if (new URL(url).href === new URL(redactUrl(before, seal)).href) return false;
  refuseShownUrl(url, before.kind);
  return true;
}

/** @throws ValidationError for what is shown of a URL of Slack: nothing would come of it */
export function refuseShownUrl(url: string, kind: string): void {
  if (kind === 'slack' && SHOWN.test(url))
    throw new ValidationError({ 'body.url': 'is what is shown of a URL of Slack; give the whole of it' });
}
