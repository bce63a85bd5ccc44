import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

/** The request's body: JSON, and the same bytes in every attempt, for they are what is signed. */
export function writeBody(kind: (typeof WEBHOOK_KINDS)[number], event: WebhookEvent, publicUrl: string): string {
  if (kind === 'slack') return JSON.stringify(writeSlackMessage(event, publicUrl));
  const { type, at, data, page } = event;
  const url = page === undefined ? {} : { url: `${publicUrl.replace(/\/$/, '')}${page}` };
  return JSON.stringify({ type, timestamp: at, data: { ...data, ...url } });
}
