import { setImmediate as nextIteration } from 'node:timers/promises';

/** On a fifth of a core, a slice of 10 ms takes 50 ms: well below the limit of 200 ms for blocking the event loop. */
const MAX_SLICE_MS = 10;

/**
 * Divides long synchronous work into slices, between which the event loop can run. Use it if the work grows with the
 * data of a user: `if (slice.isOver) await slice.yieldToEventLoop()`.
 */
export class TimeSlice {
  private endsAt = performance.now() + MAX_SLICE_MS;

  /** True if the current slice has run for long enough. Costs 50 ns. */
  get isOver(): boolean {
    return performance.now() >= this.endsAt;
  }

  /** Resolves in the next iteration of the event loop, and starts a new slice. */
  async yieldToEventLoop(): Promise<void> {
    await nextIteration();
    this.endsAt = performance.now() + MAX_SLICE_MS;
  }
}

/** Calls `action` for each item in order, and yields to the event loop about every 10 ms. */
export async function forEachYielding<T>(items: Iterable<T>, action: (item: T) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToEventLoop();
    action(item);
  }
}
