import { setTimeout as sleep } from 'node:timers/promises';

/** Dependencies of a service by name; a check rejects if the dependency is unavailable. */
export type HealthChecks = Record<string, () => Promise<unknown>>;

/**
 * A check that takes longer counts as failed. A caller of `healthChecks` needs a much longer timeout than this, or the
 * response that names the dependency arrives too late.
 */
export const HEALTH_CHECK_TIMEOUT_MS = 1_000;

/** Runs all checks at once. @returns each dependency with `ok` or its failure */
export async function runChecks(checks: HealthChecks): Promise<Record<string, string>> {
  const results = Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const);
  return Object.fromEntries(await Promise.all(results));
}

async function runCheck(check: () => Promise<unknown>): Promise<string> {
  try {
    const timeout = sleep(HEALTH_CHECK_TIMEOUT_MS, 'did not respond', { ref: false });
    return await Promise.race([check().then(() => 'ok'), timeout]);
  } catch (error) {
    return (error as Error).message.split('\n').at(-1) || 'failed';
  }
}
