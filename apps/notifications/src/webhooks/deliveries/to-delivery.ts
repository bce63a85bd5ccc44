import type { Result } from '@millrace/contracts/kit/operation';
import type { getDelivery, listDeliveries } from '@millrace/contracts/notifications/webhooks';
import type { WebhookAttempt, WebhookDelivery } from '@millrace/persistence/generated/client';

type DeliveryRecord = Result<typeof listDeliveries>['results'][number];
type AttemptRecord = Result<typeof getDelivery>['attempts'][number];
type Headers = Record<string, string>;

export const toDelivery = (row: Omit<WebhookDelivery, 'body'>): DeliveryRecord => ({
  id: row.id,
  webhook: row.webhookId,
  event: row.event as DeliveryRecord['event'],
  status: row.status as DeliveryRecord['status'],
  attempt_count: row.attempts,
  ...(row.responseStatus !== null && { response_status: row.responseStatus }),
  ...(row.error !== null && { error: row.error }),
  created_date: row.createdAt.toISOString(),
  ...(row.lastAt && { last_attempt_date: row.lastAt.toISOString() }),
  ...(row.nextAt && row.lease === null && { next_attempt_date: row.nextAt.toISOString() }),
});

export const toAttempt = (row: WebhookAttempt): AttemptRecord => ({
  number: row.number,
  created_date: row.at.toISOString(),
  duration_ms: row.durationMs,
  request: { headers: row.requestHeaders as Headers },
  ...(row.responseStatus !== null && {
    response: {
      status: row.responseStatus,
      headers: row.responseHeaders as Headers,
      body: row.responseBody ?? '',
      truncated: row.truncated,
    },
  }),
  ...(row.error !== null && { error: row.error }),
});
