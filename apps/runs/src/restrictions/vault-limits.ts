import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Limits that keep one vault from using the whole system. They hold for vaults for which neither an administrator nor their
 * plan sets other limits.
 */
export interface VaultLimits {
  /** Dispatches of all runs of a vault at once. */
  dispatches: number;
  /** Runs of a vault that have not ended. */
  activeRuns: number;
}

/** Provides the `VaultLimits`. */
export const VAULT_LIMITS = Symbol('VAULT_LIMITS');

const RETRY_AFTER_SECONDS = 30;

/**
 * Checks that a vault may have one more active run. Call it in the transaction that starts the run. Runs that are started
 * at the same moment do not see each other, so the limit may be exceeded by as many.
 * @throws ApiError `rate_limited`
 */
export async function requireRoomForRun(
  tx: Pick<Transaction, '$queryRaw'>,
  vault: string,
  { activeRuns }: VaultLimits,
): Promise<void> {
  const [found] = await tx.$queryRaw<{ limit: number; isFull: boolean }[]>`
    WITH allowed AS (SELECT coalesce(
      (SELECT active_runs FROM runs.vault_override WHERE vault_id = ${vault}::uuid),
      (SELECT active_runs FROM runs.vault_limit WHERE vault_id = ${vault}::uuid), ${activeRuns}::int) AS runs)
    SELECT allowed.runs AS "limit", (SELECT count(*) FROM (
      SELECT 1 FROM runs.run WHERE vault_id = ${vault}::uuid AND finished_at IS NULL LIMIT allowed.runs) active
    ) >= allowed.runs AS "isFull" FROM allowed`;
  if (!found?.isFull) return;
  throw new ApiError(
    'rate_limited',
    `This vault has ${found.limit} runs that have not ended, which is the most that it may have. Wait until some have ended, or stop some.`,
    { retry_after: RETRY_AFTER_SECONDS },
  );
}
