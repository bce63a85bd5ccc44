import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/** Pauses that double from 0.1 s to 10 s, with a random quarter less so that not all workers try at the same time. */
export class BackOff {
  private delayMs = FIRST_DELAY_MS;

  /** @throws AbortError */
  async pause(signal: AbortSignal): Promise<void> {
    const delayMs = this.delayMs * (1 - Math.random() / 4);
    this.delayMs = Math.min(MAX_DELAY_MS, this.delayMs * 2);
    await sleep(delayMs, undefined, { signal });
  }

  reset(): void {
    this.delayMs = FIRST_DELAY_MS;
  }
}

/**
 * Repeats an action until it succeeds, or fails in a way that `isTransient` does not accept.
 * @throws that error; the reason of `signal`
 */
export async function retry<T>(
  action: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const backOff = new BackOff();
  for (;;) {
    signal.throwIfAborted();
    try {
      return await action();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await backOff.pause(signal).catch(() => signal.throwIfAborted());
    }
  }
}
