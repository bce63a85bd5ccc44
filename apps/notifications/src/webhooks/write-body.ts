import type { WEBHOOK_KINDS } from '@millrace/contracts/notifications/webhooks';
import type { WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

/** The request's body: JSON, and the same bytes in every attempt, for they are what is signed. */
export function writeBody(kind: (typeof WEBHOOK_KINDS)[number], event: WebhookEvent, publicUrl: string): string {
  const { type, at, data } = event;
  return JSON.stringify(kind === 'slack' ? writeSlackMessage(event, publicUrl) : { type, timestamp: at, data });
}
