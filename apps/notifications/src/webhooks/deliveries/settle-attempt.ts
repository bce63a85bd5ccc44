import { TEST_EVENT } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import { type Prisma, type WebhookDelivery } from '@millrace/persistence/generated/client';
import type { Attempt } from '../sending/attempt.js';
import type { ClaimedDelivery } from './claim-deliveries.js';
import { isDelivered, nextStatus } from './delivery-states.js';
import { failAbandonedDeliveries } from './fail-abandoned-deliveries.js';
import { planRetry } from './plan-retry.js';
import { wakeWebhooks } from './wake-webhooks.js';

const GONE = 410;
/** A webhook is disabled if none of its deliveries succeeds for this long. */
const FAILING_DAYS = 5;
/** A webhook whose receiver takes longer counts as slow. */
const SLOW_RESPONSE_MS = 3_000;

interface LockedWebhook {
  enabled: boolean;
  round: number;
  slow: boolean;
  failingSince: Date | null;
  now: Date;
}

/** `retried`: the attempt failed, and another one follows. `failed`: none follows. */
export type SettledOutcome = 'delivered' | 'retried' | 'failed';

/**
 * Stores the outcome of an attempt and plans the next one. A success always counts; a failure counts only if no other
 * process has claimed the delivery in the meantime.
 * @returns null if the attempt does not count
 */
export async function settleAttempt(
  tx: Transaction,
  { id, webhook, lease }: ClaimedDelivery,
  attempt: Attempt,
): Promise<SettledOutcome | null> {
  const [locked] = await tx.$queryRaw<LockedWebhook[]>`
    SELECT enabled, round, slow, failing_since AS "failingSince", now() FROM notifications.webhook
    WHERE id = ${webhook}::uuid FOR NO KEY UPDATE`;
  const delivery = locked && (await tx.webhookDelivery.findUnique({ where: { id } }));
  const hasSucceeded = attempt.error === null;
  if (!delivery || isDelivered(delivery) || (!hasSucceeded && delivery.lease !== lease)) return null;
  const failingSince = hasSucceeded ? null : (locked.failingSince ?? locked.now);
  const delay = hasSucceeded || !canRetry(locked, delivery) ? null : delayAfter(delivery, attempt);
  const reason = locked.enabled && !hasSucceeded ? findDisableReason(attempt, delay, locked.now, failingSince) : null;
  await storeAttempt(tx, delivery, attempt);
  await tx.webhookDelivery.update({
    where: { id },
    data: { ...outcomeOf(attempt), ...nextState(delivery, hasSucceeded, reason === null ? delay : null, locked.now) },
  });
  const slow = attempt.durationMs > SLOW_RESPONSE_MS;
  if (failingSince !== locked.failingSince || slow !== locked.slow || reason !== null) {
    const disabled = reason !== null && { enabled: false, disabledReason: reason, round: { increment: 1 } };
    await tx.webhook.update({ where: { id: webhook }, data: { failingSince, slow, ...disabled } });
  }
  if (reason !== null) await failAbandonedDeliveries(tx, webhook);
  await wakeWebhooks(tx, [webhook]);
  if (hasSucceeded) return 'delivered';
  return reason === null && delay !== null ? 'retried' : 'failed';
}

/** A disabled webhook still retries deliveries of its current round, such as redeliveries; a test gets one attempt. */
const canRetry = (locked: LockedWebhook, { round, event, attempts, step }: WebhookDelivery): boolean =>
  round === locked.round && (locked.enabled || event !== TEST_EVENT || attempts > step);

const delayAfter = ({ step }: WebhookDelivery, { retryAfterMs }: Attempt): number | null =>
  planRetry({ number: step + 1, retryAfterMs, chance: Math.random() });

/** The days count only when a delivery has failed for good: a receiver without messages for a week is not down. */
function findDisableReason(
  { response }: Attempt,
  delay: number | null,
  now: Date,
  failingSince: Date | null,
): string | null {
  if (response?.status === GONE) return 'The receiver responded with status 410 (Gone).';
  const days = failingSince === null ? 0 : (now.getTime() - failingSince.getTime()) / 86_400_000;
  return delay === null && days >= FAILING_DAYS ? `No message could be delivered for ${FAILING_DAYS} days.` : null;
}

type Change = Prisma.WebhookDeliveryUpdateInput;

const outcomeOf = ({ at, response, error }: Attempt): Change => ({
  attempts: { increment: 1 },
  step: { increment: 1 },
  lease: null,
  lastAt: at,
  responseStatus: response?.status ?? null,
  error,
});

function nextState(delivery: WebhookDelivery, hasSucceeded: boolean, delay: number | null, now: Date): Change {
  if (hasSucceeded) return { status: nextStatus(delivery, 'attempt_succeeded'), nextAt: null };
  if (delay === null) return { status: nextStatus(delivery, 'retries_exhausted'), nextAt: null };
  return { status: nextStatus(delivery, 'attempt_failed'), nextAt: new Date(now.getTime() + delay) };
}

async function storeAttempt(tx: Transaction, { id, attempts }: WebhookDelivery, attempt: Attempt): Promise<void> {
  const { at, durationMs, headers, response, error } = attempt;
  await tx.webhookAttempt.create({
    data: {
      ...{ deliveryId: id, number: attempts + 1, at, durationMs, requestHeaders: headers, error },
      ...(response && {
        responseStatus: response.status,
        responseHeaders: response.headers,
        responseBody: response.body,
        truncated: response.truncated,
      }),
    },
  });
}
