import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { BILLING_EVENTS, SPACE_EVENTS } from '@millrace/contracts/notifications/webhooks';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma, Webhook } from '@millrace/persistence/generated/client';
import { canRead, inReadableSpaces } from '@millrace/persistence/tenancy';

/**
 * Prisma filter: the webhooks that a caller may see. A webhook reports runs, tables and the vault's usage, so only users who may see
 * these may see it. Excludes deleted webhooks.
 */
export function webhooksVisibleTo(caller: Caller): Prisma.WebhookWhereInput {
  if (caller.spaces === 'all') return { deletedAt: null };
  const subscribesTo = (types: readonly string[]) => ({ events: { hasSome: [...types] } });
  return {
    deletedAt: null,
    NOT: subscribesTo(BILLING_EVENTS),
    OR: [{ NOT: subscribesTo(SPACE_EVENTS) }, inReadableSpaces(caller)],
  };
}

/**
 * Prisma filter: the deliveries that a caller may see, by the event of each. The webhook itself does not suffice, because its
 * events may have been reduced after a delivery was added.
 */
export function deliveriesVisibleTo(caller: Caller): Prisma.WebhookDeliveryWhereInput {
  if (caller.spaces === 'all') return {};
  return {
    event: { notIn: [...BILLING_EVENTS] },
    OR: [{ event: { notIn: [...SPACE_EVENTS] } }, inReadableSpaces(caller)],
  };
}

/** Prisma filter: the deliveries that a caller without access to all spaces may not see. Includes events without a known space. */
export function deliveriesHiddenFrom(caller: Caller): Prisma.WebhookDeliveryWhereInput {
  const { spaceId } = inReadableSpaces(caller);
  const inHiddenSpace = { OR: [{ spaceId: null }, { spaceId: { notIn: spaceId?.in ?? [] } }] };
  return { OR: [{ event: { in: [...BILLING_EVENTS] } }, { event: { in: [...SPACE_EVENTS] }, ...inHiddenSpace }] };
}

/** @throws ForbiddenError if a webhook would send events that the caller may not see */
export function requireVisibleEvents(caller: Caller, { events, spaceId }: Pick<Webhook, 'events' | 'spaceId'>): void {
  if (caller.spaces === 'all') return;
  if (BILLING_EVENTS.some((type) => events.includes(type)))
    throw new ForbiddenError('Only owners of the vault may subscribe to billing events. Remove them from `events`.');
  const includesSpaceEvents = SPACE_EVENTS.some((type) => events.includes(type));
  if (includesSpaceEvents && (spaceId === null || !canRead(caller, spaceId)))
    throw new ForbiddenError(
      'You may subscribe to events of runs and tables only in a space that you may read. Set `space` to such a space.',
    );
}

/**
 * Pending messages are sent to the webhook's new URL, so only users who may see all of them may change it.
 * @throws ForbiddenError
 */
export async function requirePendingVisible(
  tx: Transaction,
  { id: webhookId, round }: Pick<Webhook, 'id' | 'round'>,
  caller: Caller,
): Promise<void> {
  if (caller.spaces === 'all') return;
  const hidden = await tx.webhookDelivery.findFirst({
    where: { webhookId, round, nextAt: { not: null }, ...deliveriesHiddenFrom(caller) },
    select: { id: true },
  });
  if (hidden)
    throw new ForbiddenError(
      'This webhook has pending messages that you may not see, which the new URL would receive. Disable the webhook first or ask an owner of the vault.',
    );
}
