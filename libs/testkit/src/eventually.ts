import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Much longer than any operation takes: it only bounds the wait for a broken system. On two busy cores, 5 s were not
 * enough for an export to start its thread and reach Postgres.
 */
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Repeats an assertion until it holds.
 * @param withinMs timeout in milliseconds; set it only if the test is about the time itself
 * @returns what `check` returned
 * @throws the last failure of `check`
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { withinMs = DEFAULT_TIMEOUT_MS }: { withinMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
