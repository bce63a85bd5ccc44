import type { Database } from '@millrace/persistence/database';
import { INSUFFICIENT_PRIVILEGE } from '../../datasets/sql-states.js';

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
