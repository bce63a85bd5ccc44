import { TimeSlice } from './time-slice.js';

/** Calls `action` for each item in order, in slices of about 10 ms between which the event loop does what else is due. */
export async function forEachYielding<T>(items: Iterable<T>, action: (item: T) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToEventLoop();
    action(item);
  }
}
