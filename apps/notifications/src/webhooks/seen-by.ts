import { Forbidden } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { BILLING_EVENTS, RUN_EVENTS } from '@millrace/contracts/notifications/webhooks';
import type { Prisma, Webhook } from '@millrace/persistence/generated/client';
import { inReadableSpaces, mayRead } from '@millrace/persistence/tenancy';

/** Prisma filter: a webhook tells what happens in runs and what the vault uses, so it is for those who may see these. */
export function seenBy(caller: Caller): Prisma.WebhookWhereInput {
  if (caller.spaces === 'all') return {};
  const tells = (types: readonly string[]) => ({ events: { hasSome: [...types] } });
  return { NOT: tells(BILLING_EVENTS), OR: [{ NOT: tells(RUN_EVENTS) }, inReadableSpaces(caller)] };
}

/** @throws Forbidden where a webhook would tell its author what they may not see */
export function refuseUnseen(caller: Caller, { events, spaceId }: Pick<Webhook, 'events' | 'spaceId'>): void {
  if (caller.spaces === 'all') return;
  if (BILLING_EVENTS.some((type) => events.includes(type)))
    throw new Forbidden('Events of billing are for the owners of the vault');
  const tellsRuns = RUN_EVENTS.some((type) => events.includes(type));
  if (tellsRuns && (spaceId === null || !mayRead(caller, spaceId)))
    throw new Forbidden('Events of runs are for those who may see them: name a space that you may read');
}
