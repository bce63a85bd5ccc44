import { describe, expect, it } from '@jest/globals';
import { DELIVERY_STATUSES } from '@millrace/contracts/notifications/webhooks';
import {
  DELIVERY_TRANSITIONS,
  type DeliveryEvent,
  isDelivered,
  isFailed,
  isPending,
  isSettled,
  nextStatus,
} from './delivery-states.js';

describe('the statuses of a delivery', () => {
  it('all have transitions from and to them', () => {
    const transitions = Object.values(DELIVERY_TRANSITIONS);
    expect(new Set(transitions.flatMap(({ from }) => from))).toEqual(new Set(DELIVERY_STATUSES));
    expect(new Set(transitions.map(({ to }) => to))).toEqual(new Set(DELIVERY_STATUSES));
  });

  it('each satisfy exactly one predicate, and all except pending are settled', () => {
    for (const status of DELIVERY_STATUSES) {
      const predicates = [isPending, isDelivered, isFailed].filter((predicate) => predicate({ status }));
      expect(predicates).toHaveLength(1);
      expect(isSettled({ status })).toBe(status !== 'pending');
    }
  });

  it.each(DELIVERY_STATUSES)('lead from %s back to pending by a redelivery', (status) => {
    expect(nextStatus({ status }, 'redelivery_requested')).toBe('pending');
  });

  it('never change a delivered message except by a redelivery', () => {
    const events = Object.keys(DELIVERY_TRANSITIONS) as DeliveryEvent[];
    for (const event of events.filter((name) => name !== 'redelivery_requested')) {
      expect(nextStatus({ status: 'delivered' }, event)).toBe('delivered');
    }
  });

  it('turn a failed delivery into a delivered one if an attempt succeeds late', () => {
    expect(nextStatus({ status: 'failed' }, 'attempt_succeeded')).toBe('delivered');
  });
});
