import type { Transaction } from '@millrace/persistence/database';

/** First key of `pg_advisory_xact_lock(int, int)`; the second is the hash of the vault's id. */
const LOCK_CLASS = 7_310_601;

/**
 * Locks the cards of a vault until the transaction ends. Serialized changes keep exactly one default card and a correct
 * count.
 */
export async function lockCards(tx: Transaction, vault: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${vault}))`;
}
