import type { Transaction } from '@millrace/persistence/database';

/** Of `pg_advisory_xact_lock(int, int)`; the second is the vault. */
const LOCK = 7_310_601;

/**
 * Whoever changes cards of a vault holds them all to the end of the transaction, so that one of them is the default and they
 * are counted right.
 */
export async function lockCards(tx: Transaction, vault: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::int, hashtext(${vault}))`;
}
