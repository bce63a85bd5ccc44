import type { Transaction } from '@millrace/persistence/database';
import { lockRowCount } from '../../datasets/lock-datasets.js';
import { PermanentLoadError } from '../loads/load-guard.js';
import type { MergeTable } from './merge-state.js';

/** Rows that all tables of a vault may have together; undefined if there is no limit. */
type RowLimit = number | undefined;

/**
 * Checks the limit before rows are written. The check is preliminary, because other merges may add rows at the same time.
 * @throws PermanentLoadError if there would be too many rows
 */
export async function checkRowLimit(
  tx: Transaction,
  table: MergeTable,
  created: number,
  limit: RowLimit,
): Promise<void> {
  if (limit === undefined) return;
  const rows = await countVaultRows(tx, table, created);
  if (rows <= limit) return;
  throw new PermanentLoadError(
    `The Live Tables of this vault would have ${formatNumber(rows)} rows in total, but at most ${formatNumber(limit)} are allowed. Delete rows or tables, then retry the load.`,
  );
}

/**
 * Checks the limit after rows were written. Merges into other tables of the vault wait until this transaction ends.
 * @throws PermanentLoadError if there are too many rows
 */
export async function enforceRowLimit(
  tx: Transaction,
  table: MergeTable,
  created: number,
  limit: RowLimit,
): Promise<void> {
  if (limit === undefined) return;
  await lockRowCount(tx, table.vaultId);
  await checkRowLimit(tx, table, created, limit);
}

/** Whether this many new rows are within the limit, as far as this is known before they are written. */
export const isWithinRowLimit = async (
  tx: Transaction,
  table: MergeTable,
  created: number,
  limit: RowLimit,
): Promise<boolean> => limit === undefined || (await countVaultRows(tx, table, created)) <= limit;

async function countVaultRows(tx: Transaction, { vaultId }: MergeTable, created: number): Promise<number> {
  const { _sum } = await tx.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  return Number(_sum.rows ?? 0) + created;
}

const formatNumber = (value: number): string => value.toLocaleString('en-US');
