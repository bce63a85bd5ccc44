import type { Transaction } from '@millrace/persistence/database';

/** Serializes transactions that add rows to tables of a vault, until this transaction ends. */
export async function lockRowCount(tx: Pick<Transaction, '$executeRaw'>, vaultId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`live rows of ${vaultId}`}, 0))`;
}
