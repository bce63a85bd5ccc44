import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/** @throws ValidationError where a vault would have more rows than it may with those of some tables once more */
export async function refuseRowsBeyond(
  limit: number | undefined,
  tx: Pick<Transaction, 'dataset'>,
  vaultId: string,
  tables: readonly { rows: bigint }[],
): Promise<void> {
  if (limit === undefined) return;
  const more = tables.reduce((sum, { rows }) => sum + rows, 0n);
  const { _sum } = await tx.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  const all = (_sum.rows ?? 0n) + more;
  if (more > 0n && all > limit) {
    throw new ValidationError({ body: `would take the vault to ${all} rows, and it may have ${limit}` });
  }
}
