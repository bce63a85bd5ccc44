import { UnavailableError } from '@millrace/contracts/kit/api-error';
import type { Database, Transaction } from '@millrace/persistence/database';

/** The gateway waits 10 s for a response. */
const TIMEOUT_MS = 9_000;
/** SQLSTATE of a statement that took longer than `statement_timeout` (Postgres docs, appendix A). */
const QUERY_CANCELED = '57014';

/**
 * Runs a query over many outputs. Postgres cannot know how many outputs belong to a few nodes, and a nested loop over
 * 100,000 of each run would take minutes. With hash joins it takes 0.5 s.
 * @throws UnavailableError if it takes longer than a client waits
 */
export async function readBulk<T>(
  database: Database,
  query: (tx: Transaction) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  try {
    return await database.transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true),
          set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('jit', 'off', true)`;
        return query(tx);
      },
      { timeoutMs: 2 * timeoutMs },
    );
  } catch (error) {
    if (!hasCode(error, QUERY_CANCELED)) throw error;
    throw new UnavailableError(
      `Comparing the outputs took longer than ${timeoutMs / 1000} s. Compare fewer nodes in one request, or try again later.`,
    );
  }
}

/** Prisma wraps errors of the driver. */
function hasCode(error: unknown, code: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code: own, cause, originalCode } = error as { code?: unknown; cause?: unknown; originalCode?: unknown };
  return own === code || originalCode === code || hasCode(cause, code);
}
