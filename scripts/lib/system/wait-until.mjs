import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is true.
 * @param {() => Promise<boolean> | boolean} check may throw to give up
 * @param {{ timeoutMs: number, signal?: AbortSignal | undefined, everyMs?: number }} options
 * @returns {Promise<boolean>} false when the time is over; rejects when the signal aborts
 */
export async function waitUntil(check, { timeoutMs, signal, everyMs = 25 }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await check()) return true;
    if (performance.now() > deadline) return false;
    await sleep(everyMs, undefined, { signal });
  }
}
