import type { Transaction } from '@millrace/persistence/database';
import { lockRowCount } from '../../live/lock-row-count.js';
import { PermanentLoadError } from '../loads/load-guard.js';
import type { MergeTable } from './merge-state.js';

/** How many rows all tables of a vault may have together; undefined for as many as there are. */
type Limit = number | undefined;

/**
 * Refuses rows before they are written, as far as one can say then: others may be adding some, too.
 * @throws LoadImpossible where there would be too many
 */
export async function checkRowLimit(tx: Transaction, table: MergeTable, created: number, limit: Limit): Promise<void> {
  if (limit === undefined) return;
  const rows = await countVaultRows(tx, table, created);
  if (rows <= limit) return;
  const number = (value: number) => value.toLocaleString('en-US');
  throw new PermanentLoadError(
    `The Live Tables of the vault would have ${number(rows)} rows together, and ${number(limit)} are allowed`,
  );
}

/**
 * Holds the rows of all tables of a vault to their limit; merges into other tables of the vault wait until this one ends.
 * @throws LoadImpossible where the rows that were added are too many
 */
export async function enforceRowLimit(
  tx: Transaction,
  table: MergeTable,
  created: number,
  limit: Limit,
): Promise<void> {
  if (limit === undefined) return;
  await lockRowCount(tx, table.vaultId);
  await checkRowLimit(tx, table, created, limit);
}

/** Whether there is room for so many rows, as far as one can say before they are written. */
export const isWithinRowLimit = async (
  tx: Transaction,
  table: MergeTable,
  created: number,
  limit: Limit,
): Promise<boolean> => limit === undefined || (await countVaultRows(tx, table, created)) <= limit;

async function countVaultRows(tx: Transaction, { vaultId }: MergeTable, created: number): Promise<number> {
  const { _sum } = await tx.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  return Number(_sum.rows ?? 0) + created;
}
