import type { DELIVERY_STATUSES } from '@millrace/contracts/notifications/webhooks';

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What can happen to a delivery. */
export const DELIVERY_EVENTS = [
  'attempt_succeeded',
  /** An attempt failed and another one follows. */
  'attempt_failed',
  /** The last attempt failed, or the webhook was disabled by its failure. */
  'retries_exhausted',
  /** The webhook was disabled before the delivery succeeded (`failAbandonedDeliveries`). */
  'abandoned',
  'redelivery_requested',
] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/**
 * The next status of a delivery by its status and the event. Events that are missing do not change the status. A failed
 * delivery can still be delivered: the attempt of a process that was given up as crashed may succeed late.
 */
export const DELIVERY_TRANSITIONS: Record<DeliveryStatus, Partial<Record<DeliveryEvent, DeliveryStatus>>> = {
  pending: {
    attempt_succeeded: 'delivered',
    attempt_failed: 'pending',
    retries_exhausted: 'failed',
    abandoned: 'failed',
    redelivery_requested: 'pending',
  },
  delivered: { redelivery_requested: 'pending' },
  failed: { attempt_succeeded: 'delivered', redelivery_requested: 'pending' },
};

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
  return DELIVERY_TRANSITIONS[current][event] ?? current;
}
