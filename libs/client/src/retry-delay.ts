const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/** Milliseconds to wait before retry number `attempt` (from 1). Doubles up to 5,000; up to half of it is random. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}

/** Waits for `ms` milliseconds. Rejects with the signal's reason when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
