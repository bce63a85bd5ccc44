import type { DELIVERY_STATUSES } from '@millrace/contracts/notifications/webhooks';
import type { Transition, TransitionTable } from '@millrace/service/transition-table';

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** All transitions of a delivery, by event. An event that is not listed for a status does not change it. */
export const DELIVERY_TRANSITIONS = {
  created: { from: [], to: 'pending', when: 'an event matches the webhook' },
  attempt_failed: { from: ['pending'], to: 'pending', when: 'an attempt fails and another one follows' },
  // A failed delivery can still be delivered: the attempt of a process that was given up as crashed may succeed late.
  attempt_succeeded: {
    from: ['pending', 'failed'],
    to: 'delivered',
    when: 'an attempt succeeds, even if it does so late',
  },
  retries_exhausted: {
    from: ['pending'],
    to: 'failed',
    when: 'the last attempt fails, or its failure disables the webhook',
  },
  /** See `failAbandonedDeliveries`. */
  abandoned: { from: ['pending'], to: 'failed', when: 'the webhook is disabled before the delivery succeeds' },
  redelivery_requested: {
    from: ['pending', 'delivered', 'failed'],
    to: 'pending',
    when: 'a user requests a redelivery',
  },
} as const satisfies TransitionTable<DeliveryStatus>;

export type DeliveryEvent = keyof typeof DELIVERY_TRANSITIONS;

/** A delivery as Prisma returns it; the column is checked by the database. */
interface HasStatus {
  status: string;
}

export const isPending = ({ status }: HasStatus): boolean => status === 'pending';
export const isDelivered = ({ status }: HasStatus): boolean => status === 'delivered';
export const isFailed = ({ status }: HasStatus): boolean => status === 'failed';

/** Whether no further attempt follows unless a user requests a redelivery. */
export const isSettled = (delivery: HasStatus): boolean => isDelivered(delivery) || isFailed(delivery);

/** @returns the status after `event`; unchanged if the event has no effect in the current status */
export function nextStatus({ status }: HasStatus, event: DeliveryEvent): DeliveryStatus {
  const current = status as DeliveryStatus;
  const { from, to }: Transition<DeliveryStatus> = DELIVERY_TRANSITIONS[event];
  return from.includes(current) ? to : current;
}
