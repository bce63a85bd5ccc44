import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

/** Writes the request body as JSON. Stored, so that every attempt signs and sends the same bytes. */
export function writeBody(kind: (typeof WEBHOOK_KINDS)[number], event: WebhookEvent, publicUrl: string): string {
  if (kind === 'slack') return JSON.stringify(writeSlackMessage(event, publicUrl));
  const { type, at, data, page } = event;
  const url = page === undefined ? {} : { url: `${publicUrl.replace(/\/$/, '')}${page}` };
  return JSON.stringify({ type, timestamp: at, data: { ...data, ...url } });
}
