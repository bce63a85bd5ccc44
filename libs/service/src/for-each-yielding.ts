import { LoopSlice } from './loop-slice.js';

/** Calls `action` for each item in order, in slices of about 10 ms between which the event loop does what else is due. */
export async function forEachYielding<T>(items: Iterable<T>, action: (item: T) => void): Promise<void> {
  const slice = new LoopSlice();
  for (const item of items) {
    if (slice.isOver) await slice.next();
    action(item);
  }
}
