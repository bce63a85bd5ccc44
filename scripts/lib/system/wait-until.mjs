import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats a check until it returns true.
 * @param {() => Promise<boolean> | boolean} check an error that it throws ends the wait
 * @param {{ timeoutMs: number, signal?: AbortSignal | undefined, everyMs?: number }} options
 * @returns {Promise<boolean>} false after the timeout; rejects if the signal aborts
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
