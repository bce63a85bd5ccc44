import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { BILLING_EVENTS, RUN_EVENTS } from '@millrace/contracts/notifications/webhooks';
import type { Prisma, Webhook } from '@millrace/persistence/generated/client';
import { inReadableSpaces, canRead } from '@millrace/persistence/tenancy';

/**
 * Prisma filter: a webhook tells what happens in runs and what the vault uses, so it is for those who may see these. One that
 * was deleted is for nobody.
 */
export function seenBy(caller: Caller): Prisma.WebhookWhereInput {
  if (caller.spaces === 'all') return { deletedAt: null };
  const tells = (types: readonly string[]) => ({ events: { hasSome: [...types] } });
  return { deletedAt: null, NOT: tells(BILLING_EVENTS), OR: [{ NOT: tells(RUN_EVENTS) }, inReadableSpaces(caller)] };
}

/**
 * The same of what was sent or is to be, by what each message tells: the webhook may have been set to tell less since, and
 * what it has told before is none of their business.
 */
export function deliverySeenBy(caller: Caller): Prisma.WebhookDeliveryWhereInput {
  if (caller.spaces === 'all') return {};
  return {
    event: { notIn: [...BILLING_EVENTS] },
    OR: [{ event: { notIn: [...RUN_EVENTS] } }, inReadableSpaces(caller)],
  };
}

/** What that leaves out, of one who does not enter every space. A run of which the space is not known is in none of theirs. */
export function deliveryUnseenBy(caller: Caller): Prisma.WebhookDeliveryWhereInput {
  const { spaceId } = inReadableSpaces(caller);
  const elsewhere = { OR: [{ spaceId: null }, { spaceId: { notIn: spaceId?.in ?? [] } }] };
  return { OR: [{ event: { in: [...BILLING_EVENTS] } }, { event: { in: [...RUN_EVENTS] }, ...elsewhere }] };
}

/** @throws ForbiddenError where a webhook would tell its author what they may not see */
export function refuseUnseen(caller: Caller, { events, spaceId }: Pick<Webhook, 'events' | 'spaceId'>): void {
  if (caller.spaces === 'all') return;
  if (BILLING_EVENTS.some((type) => events.includes(type)))
    throw new ForbiddenError('Events of billing are for the owners of the vault');
  const tellsRuns = RUN_EVENTS.some((type) => events.includes(type));
  if (tellsRuns && (spaceId === null || !canRead(caller, spaceId)))
    throw new ForbiddenError('Events of runs are for those who may see them: name a space that you may read');
}
