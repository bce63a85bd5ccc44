import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items between two turns of the event loop: at 10 µs each, 10 ms. */
const SLICE = 1_000;

/** Calls `action` for each item, and lets other work of this process run in between: a list may be as long as a user's data. */
export async function forEachYielding<T>(items: readonly T[], action: (item: T) => void): Promise<void> {
  for (let from = 0; from < items.length; from += SLICE) {
    if (from > 0) await nextTurn();
    for (const item of items.slice(from, from + SLICE)) action(item);
  }
}
