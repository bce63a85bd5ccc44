import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Far longer than anything takes, because it decides only how long a broken system is waited for. On two busy cores 5 s
 * were not enough for an export to start its thread and reach Postgres.
 */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Repeats an assertion until it holds.
 * @param withinMs how long it may take, in milliseconds; name it only if the time itself is what the test is about
 * @returns what `check` returned
 * @throws the last failure of `check`
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { withinMs = DEFAULT_TIMEOUT_MS }: { withinMs?: number } = {},
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
