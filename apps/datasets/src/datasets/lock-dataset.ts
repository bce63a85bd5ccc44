import type { Transaction } from '@millrace/persistence/database';

/**
 * Holds a Live Table until the transaction ends: whoever changes its rows, columns or sources does so one after another.
 * Readers do not wait.
 * @returns false where it is gone
 */
export async function lockDataset(tx: Transaction, id: string): Promise<boolean> {
  const held = await tx.$queryRaw<unknown[]>`SELECT 1 FROM datasets.dataset WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return held.length > 0;
}
