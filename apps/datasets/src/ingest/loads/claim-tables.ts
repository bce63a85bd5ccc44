import type { Database } from '@millrace/persistence/database';
import { INSUFFICIENT_PRIVILEGE } from '../../datasets/sql-states.js';

/** A rollout, in which an earlier release may run beside this one. */
const ROLLOUT_MS = 60 * 60_000;
/** In case a rollout takes longer, or goes back to the earlier release for a while. */
const LATER_INTERVAL_MS = 10 * 60_000;

/**
 * Whether to look for such tables again. Only an earlier release makes them, so in the first hour of a process every sweep
 * looks, and later one in ten minutes: each look reads all of `pg_class`, which takes 15 ms with 10,000 Live Tables. A load that
 * finds a table too early does not wait for the next sweep (`withClaimedTables`).
 * @param startedMsAgo age of this process
 * @param claimedMsAgo time since its last look
 */
export const isClaimDue = (startedMsAgo: number, claimedMsAgo: number): boolean =>
  startedMsAgo < ROLLOUT_MS || claimedMsAgo >= LATER_INTERVAL_MS;

/**
 * Takes over the tables that an earlier release has created as the owner of the database, while both releases run.
 * @returns how many tables the service owns now that it did not own before
 */
export async function claimTables({ client }: Database): Promise<number> {
  const [row] = await client.$queryRaw<{ claimed: number }[]>`SELECT datasets.claim_tables() AS claimed`;
  return row?.claimed ?? 0;
}

/** Does some work with tables, and does it again after it has taken over tables if it had no right to use one. */
export async function withClaimedTables<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isForbidden(error) || (await claimTables(database)) === 0) throw error;
    return work();
  }
}

/** Not `instanceof Error`: errors of a worker thread are copies. */
const isForbidden = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE;
