import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Database, Transaction } from '@millrace/persistence/database';
import { lockRowCount } from '../../live/lock-row-count.js';

/**
 * @param client sees what others have committed, which a transaction with a snapshot of its own does not
 * @throws ValidationError where a vault would have more rows than it may with those of some tables once more
 */
export async function checkRowLimit(
  limit: number | undefined,
  tx: Pick<Transaction, '$executeRaw'>,
  client: Pick<Database['client'], 'dataset'>,
  vaultId: string,
  tables: readonly { rows: bigint }[],
): Promise<void> {
  const more = tables.reduce((sum, { rows }) => sum + rows, 0n);
  if (limit === undefined || more === 0n) return;
  await lockRowCount(tx, vaultId);
  const { _sum } = await client.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  const all = (_sum.rows ?? 0n) + more;
  if (all <= limit) return;
  throw new ValidationError({ body: `would take the vault to ${all} rows, and it may have ${limit}` });
}
