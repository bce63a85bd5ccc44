import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { BILLING_EVENTS, RUN_EVENTS } from '@millrace/contracts/notifications/webhooks';
import type { Prisma, Webhook } from '@millrace/persistence/generated/client';
import { inReadableSpaces, canRead } from '@millrace/persistence/tenancy';

/**
 * Prisma filter: the webhooks that a caller may see. A webhook reports runs and the vault's usage, so only users who may see
 * these may see it. Excludes deleted webhooks.
 */
export function webhooksVisibleTo(caller: Caller): Prisma.WebhookWhereInput {
  if (caller.spaces === 'all') return { deletedAt: null };
  const subscribesTo = (types: readonly string[]) => ({ events: { hasSome: [...types] } });
  return {
    deletedAt: null,
    NOT: subscribesTo(BILLING_EVENTS),
    OR: [{ NOT: subscribesTo(RUN_EVENTS) }, inReadableSpaces(caller)],
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
    OR: [{ event: { notIn: [...RUN_EVENTS] } }, inReadableSpaces(caller)],
  };
}

/** Prisma filter: the deliveries that a caller without access to all spaces may not see. Includes runs without a known space. */
export function deliveriesHiddenFrom(caller: Caller): Prisma.WebhookDeliveryWhereInput {
  const { spaceId } = inReadableSpaces(caller);
  const inHiddenSpace = { OR: [{ spaceId: null }, { spaceId: { notIn: spaceId?.in ?? [] } }] };
  return { OR: [{ event: { in: [...BILLING_EVENTS] } }, { event: { in: [...RUN_EVENTS] }, ...inHiddenSpace }] };
}

/** @throws ForbiddenError if a webhook would send events that the caller may not see */
export function requireVisibleEvents(caller: Caller, { events, spaceId }: Pick<Webhook, 'events' | 'spaceId'>): void {
  if (caller.spaces === 'all') return;
  if (BILLING_EVENTS.some((type) => events.includes(type)))
    throw new ForbiddenError('Only owners of the vault may subscribe to billing events. Remove them from `events`.');
  const includesRuns = RUN_EVENTS.some((type) => events.includes(type));
  if (includesRuns && (spaceId === null || !canRead(caller, spaceId)))
    throw new ForbiddenError(
      'You may subscribe to run events only in a space that you may read. Set `space` to such a space.',
    );
}
