import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads a value again and again until it is stopped.
 * @param {() => Promise<number>} read
 * @param {number} intervalMs
 * @returns {{ stop: () => Promise<number> }} `stop` returns the largest value
 */
export function watchMaximum(read, intervalMs) {
  const ending = new AbortController();
  let maximum = -Infinity;
  const watching = (async () => {
    while (!ending.signal.aborted) {
      maximum = Math.max(maximum, await read());
      await sleep(intervalMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  // `stop` reports a failure; until then it must not end this process.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      ending.abort();
      await watching;
      return maximum;
    },
  };
}
