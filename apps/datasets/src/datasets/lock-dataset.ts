import type { Transaction } from '@millrace/persistence/database';

/**
 * Locks a Live Table until the transaction ends, which serializes changes of its rows, columns and sources. Readers do
 * not wait.
 * @returns false if the table does not exist
 */
export async function lockDataset(tx: Transaction, id: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`SELECT 1 FROM datasets.dataset WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return locked.length > 0;
}
