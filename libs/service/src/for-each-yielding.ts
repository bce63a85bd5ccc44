import { TimeSlice } from './time-slice.js';

/** Calls `action` for each item in order, and yields to the event loop about every 10 ms. */
export async function forEachYielding<T>(items: Iterable<T>, action: (item: T) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToEventLoop();
    action(item);
  }
}
