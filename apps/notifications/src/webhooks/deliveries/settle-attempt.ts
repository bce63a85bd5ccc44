import { TEST_EVENT } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import { type Prisma, type WebhookDelivery } from '@millrace/persistence/generated/client';
import type { Attempt } from '../sending/attempt.js';
import type { Claim } from './claim-deliveries.js';
import { giveUpWaiting } from './fail-abandoned-deliveries.js';
import { planRetry } from './plan-retry.js';
import { wakeWebhooks } from './wake-webhooks.js';

const GONE = 410;
/** A webhook of which nothing arrived for so long is disabled. */
const FAILING_DAYS = 5;
/** An answer that takes longer makes its webhook one of the slow ones. */
const SLOW_MS = 3_000;

interface Held {
  enabled: boolean;
  round: number;
  slow: boolean;
  failingSince: Date | null;
  now: Date;
}

/**
 * Notes what came of an attempt, and what comes next. A success counts whoever has the message by now; a failure only
 * where nobody else took it meanwhile.
 */
export async function settleAttempt(tx: Transaction, { id, webhook, lease }: Claim, attempt: Attempt): Promise<void> {
  const [held] = await tx.$queryRaw<Held[]>`
    SELECT enabled, round, slow, failing_since AS "failingSince", now() FROM notifications.webhook
    WHERE id = ${webhook}::uuid FOR NO KEY UPDATE`;
  const delivery = held && (await tx.webhookDelivery.findUnique({ where: { id } }));
  const isDelivered = attempt.error === null;
  if (!delivery || delivery.status === 'delivered' || (!isDelivered && delivery.lease !== lease)) return;
  const failingSince = isDelivered ? null : (held.failingSince ?? held.now);
  const pause = isDelivered || !goesOn(held, delivery) ? null : pauseAfter(delivery, attempt);
  const reason = held.enabled && !isDelivered ? whyDisable(attempt, pause, held.now, failingSince) : null;
  await noteAttempt(tx, delivery, attempt);
  await tx.webhookDelivery.update({
    where: { id },
    data: { ...outcomeOf(attempt), ...nextOf(isDelivered, reason === null ? pause : null, held.now) },
  });
  const slow = attempt.durationMs > SLOW_MS;
  if (failingSince !== held.failingSince || slow !== held.slow || reason !== null) {
    const disabled = reason !== null && { enabled: false, disabledReason: reason, round: { increment: 1 } };
    await tx.webhook.update({ where: { id: webhook }, data: { failingSince, slow, ...disabled } });
  }
  if (reason !== null) await giveUpWaiting(tx, webhook);
  await wakeWebhooks(tx, [webhook]);
}

/** A disabled webhook goes on with what it has not given up or somebody wants sent again, and gives a test one chance. */
const goesOn = (held: Held, { round, event, attempts, step }: WebhookDelivery): boolean =>
  round === held.round && (held.enabled || event !== TEST_EVENT || attempts > step);

const pauseAfter = ({ step }: WebhookDelivery, { retryAfterMs }: Attempt): number | null =>
  planRetry({ number: step + 1, retryAfterMs, chance: Math.random() });

/** Days count once a message has been given up: a receiver that had nothing to take for a week is not yet gone. */
function whyDisable({ answer }: Attempt, pause: number | null, now: Date, failingSince: Date | null): string | null {
  if (answer?.status === GONE) return 'The receiver answered 410 (Gone)';
  const days = failingSince === null ? 0 : (now.getTime() - failingSince.getTime()) / 86_400_000;
  return pause === null && days >= FAILING_DAYS ? `Nothing could be delivered for ${FAILING_DAYS} days` : null;
}

type Change = Prisma.WebhookDeliveryUpdateInput;

const outcomeOf = ({ at, answer, error }: Attempt): Change => ({
  attempts: { increment: 1 },
  step: { increment: 1 },
  lease: null,
  lastAt: at,
  responseStatus: answer?.status ?? null,
  error,
});

function nextOf(isDelivered: boolean, pause: number | null, now: Date): Change {
  if (isDelivered) return { status: 'delivered', nextAt: null };
  return pause === null ? { status: 'failed', nextAt: null } : { nextAt: new Date(now.getTime() + pause) };
}

async function noteAttempt(tx: Transaction, { id, attempts }: WebhookDelivery, attempt: Attempt): Promise<void> {
  const { at, durationMs, headers, answer, error } = attempt;
  await tx.webhookAttempt.create({
    data: {
      ...{ deliveryId: id, number: attempts + 1, at, durationMs, requestHeaders: headers, error },
      ...(answer && {
        responseStatus: answer.status,
        responseHeaders: answer.headers,
        responseBody: answer.body,
        truncated: answer.truncated,
      }),
    },
  });
}
