import type { Transaction } from '@millrace/persistence/database';
import { holdRowCount } from '../../live/hold-row-count.js';
import { LoadImpossible } from '../loads/guard-load.js';
import type { MergeTable } from './read-state.js';

/**
 * Holds the rows of all tables of a vault to their limit; merges into other tables of the vault wait until this one ends.
 * @throws LoadImpossible where the rows that were added are too many
 */
export async function checkLimit(tx: Transaction, table: MergeTable, created: number, limit: number): Promise<void> {
  await holdRowCount(tx, table.vaultId);
  const { _sum } = await tx.dataset.aggregate({ where: { vaultId: table.vaultId }, _sum: { rows: true } });
  const rows = Number(_sum.rows ?? 0) + created;
  if (rows <= limit) return;
  const number = (value: number) => value.toLocaleString('en-US');
  throw new LoadImpossible(
    `The Live Tables of the vault would have ${number(rows)} rows together, and ${number(limit)} are allowed`,
  );
}
