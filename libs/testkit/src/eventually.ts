import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an assertion until it holds.
 * @param withinMs how long it may take; 5 s where nothing is said
 * @returns what `check` gave; @throws its last failure
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { withinMs = 5_000 }: { withinMs?: number } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
  }
}
