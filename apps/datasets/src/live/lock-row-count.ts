import type { Transaction } from '@millrace/persistence/database';

/** Until the transaction ends, nobody else who does this adds rows to tables of the vault. */
export async function lockRowCount(tx: Pick<Transaction, '$executeRaw'>, vaultId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`live rows of ${vaultId}`}, 0))`;
}
