import { useMemo, useState } from 'react';
import type { ChildStates } from '../live/child-states.js';
import { STEP_FILTERS, type StepFilter } from '../run/run-search.js';
import { useThrottled } from '../shared/use-throttled.js';
import { orderChildren } from './order-children.js';

/** A filter or an order of 100,000 children takes some milliseconds. */
const ORDER_INTERVAL_MS = 1_000;

interface OrderOptions {
  filter: StepFilter | undefined;
  isByDuration: boolean;
  /** That of the statuses. */
  version: number;
  /** Children are selected, so they stay where they are. */
  isKept: boolean;
}

/** The children that are shown, in their order; undefined for all of them by number. */
export function useOrder(states: ChildStates, { filter, isByDuration, version, isKept }: OrderOptions) {
  const latest = useThrottled(version, ORDER_INTERVAL_MS);
  const [shown, setShown] = useState(latest);
  if (!isKept && shown !== latest) setShown(latest);
  return useMemo(
    () => orderChildren(states, filter && STEP_FILTERS[filter].statuses, isByDuration),
    [states, filter, isByDuration, shown],
  );
}
