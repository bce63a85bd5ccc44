import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = { min: 100, max: 2_000 };

/** Yields at once, and then at intervals that grow. */
export async function* polls(): AsyncGenerator<void> {
  for (let interval = POLL_INTERVAL_MS.min; ; interval = Math.min(interval * 1.5, POLL_INTERVAL_MS.max)) {
    yield;
    await sleep(interval);
  }
}
