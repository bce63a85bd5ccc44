import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Database, Transaction } from '@millrace/persistence/database';
import { lockRowCount } from '../../datasets/lock-datasets.js';

/**
 * Checks that a vault stays within its row limit if copies of some tables are added.
 * @param client sees what other transactions have committed, unlike `tx` with its older snapshot
 * @throws ValidationError if the vault would have more rows than `limit`
 */
export async function checkRowLimit(
  limit: number | undefined,
  tx: Pick<Transaction, '$executeRaw'>,
  client: Pick<Database['client'], 'dataset'>,
  vaultId: string,
  tables: readonly { rows: bigint }[],
): Promise<void> {
  const addedRows = tables.reduce((sum, { rows }) => sum + rows, 0n);
  if (limit === undefined || addedRows === 0n) return;
  await lockRowCount(tx, vaultId);
  const { _sum } = await client.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  const total = (_sum.rows ?? 0n) + addedRows;
  if (total <= limit) return;
  throw new ValidationError({
    body: `would make the vault have ${total} rows, and it may have at most ${limit}; delete rows or Live Tables first`,
  });
}
