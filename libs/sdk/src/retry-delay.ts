const FIRST_MS = 200;
const MAX_MS = 5_000;

/** Milliseconds to wait before try number `attempt` (the second is 1): doubling, at most 5 s, up to half of it by chance. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}

/** Waits; rejects with the signal's reason when it is aborted. */
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
